import sqlite3

import pytest

from workbench.sessions.session_file import SessionFile


def test_a_file_of_a_newer_program_is_refused_and_left_alone(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="newer workbench"):
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


def test_a_file_of_the_first_format_is_migrated_whole(tmp_path):
    path = tmp_path / "sessions.sqlite"
    old = sqlite3.connect(path)
    old.execute("CREATE TABLE searches (id INTEGER PRIMARY KEY, docset_id TEXT, state TEXT,"
                " made REAL, UNIQUE (docset_id, state))")  # fmt: skip
    old.execute("CREATE TABLE plan_sessions (id TEXT PRIMARY KEY, docset_id TEXT, question TEXT,"
                " current INTEGER, created REAL, changed REAL)")  # fmt: skip
    old.execute("INSERT INTO plan_sessions VALUES ('s', 'wb:ds-1', 'how many?', 0, 1, 1)")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    opened = SessionFile(path)
    [row] = opened.rows("SELECT question, name FROM plan_sessions")
    assert tuple(row) == ("how many?", None)
    opened.close()
    SessionFile(path).close()
