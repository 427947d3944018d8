import sqlite3

import pytest

from workbench.sessions.session_file import SessionFile


def test_a_file_of_a_newer_program_is_refused_and_left_alone(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="newer version"):
        SessionFile(path)
    assert path.read_bytes() == before


def test_a_transaction_that_fails_leaves_nothing_behind(file):
    def add_and_stumble():
        with file.writing() as connection:
            connection.execute("INSERT INTO searches (docset_id, state, made) VALUES ('a', 'b', 1)")
            raise KeyError("stumbled")

    with pytest.raises(KeyError):
        add_and_stumble()
    assert file.rows("SELECT * FROM searches") == []


def test_two_programs_can_hold_the_file_open_at_once(path, file):
    other = SessionFile(path)
    with file.writing() as connection:
        connection.execute("INSERT INTO searches (docset_id, state, made) VALUES ('a', 'b', 1)")
    assert len(other.rows("SELECT * FROM searches")) == 1
    other.close()
