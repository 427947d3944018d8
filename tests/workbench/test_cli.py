"""The `workbench` command: answers, exit codes, and output that programs can read."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from tests.backend.partition.samples import picture
from tests.backend_process import BackendProcess
from workbench.cli import main
from workbench.commands.catalogue import COMMANDS
from workbench.sessions.session_file import SessionFile

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    backend: BackendProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Run]:
    """Runs a command against the backend; returns exit code, standard output, standard error."""
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)

    def command(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([*words, "--url", backend.url])
        out, error = capfd.readouterr()
        return code, out, error

    yield command


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "ice.txt").write_text("Ice on the wing during the approach.")
    (folder / "fuel.txt").write_text("The engine stopped: no fuel was left.")
    return folder


def test_a_terminal_of_plain_ascii_gets_every_answer(run, backend, tmp_path):
    assert run("docsets", "create", "K\u00f6ln \u2192 \U0001f680")[0] == 0
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words in (["docsets", "--url", backend.url], ["help", "questions"], ["no such command"]):
        command = [sys.executable, "-m", "workbench.cli", *words]
        done = subprocess.run(command, env=os.environ | plain, capture_output=True, check=False)
        assert done.returncode == (2 if words == ["no such command"] else 0), done.stderr
        assert (done.stdout + done.stderr).isascii() and b"Traceback" not in done.stderr


def test_remarks_on_a_file_are_printed_when_it_is_added(run, tmp_path):
    (tmp_path / "scan.png").write_bytes(picture("PNG"))
    code, _, error = run("add", "cli-scan", str(tmp_path / "scan.png"), "--create", "--quiet")
    assert code == 0 and "scan.png: page 1 read by OCR" in error


def test_files_are_added_searched_and_exported(run, texts, tmp_path):
    code, out, error = run("add", "cli-pile", str(texts), "--create", "--json")
    assert code == 0 and error == ""
    added = json.loads(out)["documents"]
    assert sorted(row["name"] for row in added) == ["fuel.txt", "ice.txt"]
    assert [row["remarks"] for row in added] == [[], []]

    code, out, _ = run("search", "cli-pile", "ice wing", "--json", "--limit", "1")
    (hit,) = json.loads(out)
    assert code == 0 and hit["doc_id"]

    code, out, _ = run("search", "cli-pile", "ice wing", "--elements", "--kind", "lexical")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0] == ["score", "name", "page", "kind", "snippet", "doc_id"]
    assert lines[1][1] == "ice.txt" and lines[1][4].startswith("Ice on the wing")

    for ending, read in {"parquet": pl.read_parquet, "csv": pl.read_csv, "arrow": pl.read_ipc,
                         "jsonl": pl.read_ndjson}.items():  # fmt: skip
        target = tmp_path / f"out.{ending}"
        code, _, error = run("export", "cli-pile", "--elements", "-o", str(target))
        assert code == 0 and "rows in" in error
        assert set(read(target)["name"]) == {"ice.txt", "fuel.txt"}
    assert [path.name for path in tmp_path.glob(".*.part")] == []

    code, out, _ = run("export", "cli-pile", "fuel", "--kind", "keyword", "-o", "-")
    assert not Path("-").exists()
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["fuel.txt"]


def test_docsets_are_created_with_a_schema_shown_cloned_and_deleted(run, tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps({"properties": [{"name": "year", "field_type": "int"}]}))
    code, out, _ = run("docsets", "create", "cli-schema", "--schema", str(schema), "--json")
    assert code == 0
    (made,) = json.loads(out)
    _, out, _ = run("docsets", "show", made["docset_id"])
    assert "cli-schema" in out and "year\tint" in out
    _, out, _ = run("docsets", "clone", "cli-schema", "--json")
    clone = json.loads(out)[0]["docset_id"]
    _, out, _ = run("docsets")
    assert made["docset_id"] in out and clone in out
    for docset_id in (clone, made["docset_id"]):
        assert run("docsets", "delete", docset_id, "--yes")[0] == 0
    assert made["docset_id"] not in run("docsets")[1]


def test_a_script_deletes_nothing_without_yes(run):
    run("docsets", "create", "cli-keep")
    code, _, error = run("docsets", "delete", "cli-keep")
    assert code == 1 and "--yes" in error
    assert "cli-keep" in run("docsets")[1]


def test_a_file_that_fails_gives_exit_code_three_and_the_others_are_added(run, texts):
    (texts / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    code, out, error = run("add", "cli-broken", str(texts), "--create", "--json")
    rows = json.loads(out)["documents"]
    assert code == 3 and "1 of 3 failed" in error
    assert [row["name"] for row in rows if row["error"]] == ["broken.pdf"]


def test_files_with_any_name_are_added_beside_the_others(run, texts):
    for name in ("line\nbreak.txt", "page\u2028break.txt", "two  'quotes\".txt"):
        (texts / name).write_text("Ice on the wing.")
    Path(os.fsdecode(bytes(texts / "bytes ") + b"\xff\xfe.txt")).write_text("No UTF-8 in the name.")
    code, out, _ = run("add", "cli-names", str(texts), "--create", "--json", "--quiet")
    added = {one["name"]: one["error"] for one in json.loads(out)["documents"]}
    assert code == 0 and len(added) == 6 and not any(added.values())
    assert "bytes \ufffd\ufffd.txt" in added
    code, out, _ = run("add", "cli-names", str(texts / "line\nbreak.txt"), "--quiet")
    assert code == 0, "also when given by its own path"


def test_an_argument_that_is_not_text_gives_a_sentence_and_no_traceback(run):
    for words in (["docsets", "create", "caf\udce9"], ["search", "caf\udce9", "ice"]):
        code, out, error = run(*words)
        assert code == 1 and not out and 0 < error.count("\n") <= 2


def test_an_unknown_docset_is_answered_with_the_existing_ones(run):
    run("docsets", "create", "cli-known")
    code, out, error = run("search", "cli-unknown", "x")
    assert (code, out) == (1, "")
    assert "There is no DocSet 'cli-unknown'" in error and "cli-known" in error


def test_a_wrong_filter_gives_a_message_and_not_a_traceback(run, texts):
    run("add", "cli-filter", str(texts), "--create")
    code, _, error = run("search", "cli-filter", "--where", "properties.entity.a ===")
    assert code == 1 and "properties_filter" in error and "Traceback" not in error


def test_an_empty_search_is_refused_before_it_is_sent(run, texts):
    run("add", "cli-nothing", str(texts), "--create")
    code, _, error = run("search", "cli-nothing")
    assert code == 1 and "give a query" in error


def test_a_question_is_planned_corrected_and_answered(run, texts):
    run("add", "cli-ask", str(texts), "--create")
    code, out, error = run("ask", "cli-ask", "How many documents are there?")
    assert (code, out.strip()) == (0, "2") and "◀ result" in error
    code, out, _ = run("ask", "cli-ask", "How many documents are there?", "--plan-only", "--json")
    assert code == 0 and "result" not in json.loads(out)
    edit = "only documents that mention fuel"
    code, out, _ = run("ask", "cli-ask", "How many documents are there?", "--edit", edit, "--json")
    answer = json.loads(out)
    assert code == 0 and answer["result"] == 1 and len(answer["changes"][0]) >= 1


def test_a_remark_on_the_question_stays_with_the_corrected_answer_and_is_printed_once(run, texts):
    run("add", "cli-remarks", str(texts), "--create")
    edit = "only documents that mention fuel"
    question = "I'm curious, how many documents are there?"
    code, _, error = run("ask", "cli-remarks", question, "--edit", edit)
    assert code == 0 and error.count("Not used: “curious”") == 1


def test_tasks_are_listed_and_their_results_printed(run, texts):
    run("add", "cli-tasks", str(texts), "--create")
    _, out, _ = run("tasks", "--json")
    done = [task for task in json.loads(out) if task["status"] == "done"]
    assert done
    code, out, _ = run("tasks", "wait", done[0]["task_id"])
    assert code == 0 and json.loads(out)
    code, _, error = run("tasks", "cancel", done[0]["task_id"])
    assert code == 1 and "not found" in error.lower()


def test_the_demo_is_created_once_and_reused(run):
    code, out, error = run("demo", "--no-app", "--count", "3", "--json")
    first = json.loads(out)
    assert code == 0, error
    assert (first["created"], first["added"], first["documents"]) == (True, 3, 3)
    second = json.loads(run("demo", "--no-app", "--count", "4", "--json")[1])
    assert second["docset_id"] == first["docset_id"]
    assert (second["created"], second["added"], second["documents"]) == (False, 1, 4)


@pytest.mark.parametrize("count", ["0", "49"])
def test_the_demo_refuses_to_add_more_or_fewer_reports_than_it_has(run, count):
    code, _, error = run("demo", "--no-app", "--count", count)
    assert code == 1 and "1 to 48" in error


# -- without a backend ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: workbench {command}" in capsys.readouterr().out


def test_a_wrong_word_gives_exit_code_two(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["sarch", "x"])
    assert ended.value.code == 2


def test_the_app_asks_for_a_terminal_instead_of_filling_a_pipe_with_codes(capsys):
    assert main([]) == 2
    out, error = capsys.readouterr()
    assert out == "" and "needs a terminal" in error


def test_doctor_reports_a_token_that_others_can_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    assert main(["doctor"]) == 0
    token = tmp_path / "token"
    token.write_text("secret")
    token.chmod(0o644)
    capsys.readouterr()
    assert main(["doctor", "--json"]) == 1
    out = capsys.readouterr().out
    faults = [finding for finding in json.loads(out) if finding["status"] == "fault"]
    assert [finding["check"] for finding in faults] == ["token"] and "chmod 600" in faults[0][
        "advice"
    ]
    assert "secret" not in out


def test_doctor_starts_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "none"))
    main(["doctor"])
    assert not (tmp_path / "none").exists()


def test_stop_without_a_backend_is_not_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    assert main(["stop", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"stopped": False}


def test_tours_are_copied_once_and_changed_ones_stay(tmp_path, capsys):
    folder = tmp_path / "tours"
    assert main(["lab", "--copy-only", "--folder", str(folder)]) == 0
    first = next(iter(sorted(folder.glob("*.ipynb"))))
    first.write_text("my own work")
    assert main(["lab", "--copy-only", "--folder", str(folder)]) == 0
    assert first.read_text() == "my own work"


def test_the_data_folder_is_private_whichever_command_creates_it(tmp_path):
    """Also when the first command is not the one that starts the backend."""
    folder = tmp_path / "data"
    for words in (["lab", "--copy-only"], ["docsets"]):
        command = [sys.executable, "-m", "workbench.cli", *words]
        open_umask = "import os,sys; os.umask(0o022); os.execv(sys.argv[1], sys.argv[1:])"
        subprocess.run(
            [sys.executable, "-c", open_umask, *command], env=environment(tmp_path / "data")
        )
    with closing(SessionFile(folder / "sessions.sqlite")):
        pass
    stop = [sys.executable, "-m", "workbench.cli", "stop"]
    subprocess.run(stop, env=environment(folder), capture_output=True)
    ours = [folder, *folder.rglob("*")]
    assert {"sessions.sqlite", "backend.log", "workbench.sqlite"} <= {path.name for path in ours}
    assert [path for path in ours if path.stat().st_mode & 0o077] == []


def test_lab_opens_on_the_tours_and_contacts_nothing_on_the_internet(tmp_path, monkeypatch):
    pytest.importorskip("jupyterlab")
    begun: list[list[str]] = []
    monkeypatch.setattr("os.execv", lambda _, command: begun.append(command))
    main(["lab", "--no-browser", "--folder", str(tmp_path)])
    command = " ".join(begun[0])
    assert f"root_dir={tmp_path}" in command and "--no-browser" in command
    assert "news_url=None" in command and "NeverCheckForUpdate" in command
    assert len(list(tmp_path.glob("0*.ipynb"))) == 5


def test_words_from_documents_cannot_control_a_terminal(capsys):
    from workbench.commands.common import print_rows

    print_rows(["text"], [{"text": "safe\x1b]0;title\x07\x9b31m\nnext"}])
    out = capsys.readouterr().out
    assert re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out) is None
    assert out.count("\n") == 2


STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EVIL = "a\x1b]0;owned\x07\x1b[2J\x9b2J\u202eb"


def test_no_command_prints_control_sequences(run, tmp_path):
    (tmp_path / f"{EVIL}.txt").write_text("Some words.")
    output = []
    output += run("docsets", "create", f"cli-{EVIL}")[1:]
    output += run("docsets", "create", f"cli-{EVIL}", "--json")[1:]
    output += run("docsets", "--json")[1:]
    output += run("docsets")[1:]
    output += run("add", f"cli-{EVIL}", str(tmp_path), "--create")[1:]
    output += run("add", f"cli-{EVIL}", str(tmp_path / EVIL))[1:]
    output += run("search", f"cli-{EVIL}", "words", "--json")[1:]
    output += run("search", EVIL, "words")[1:]
    output += run("tasks", "--json")[1:]
    output += run("ask", f"cli-{EVIL}", "how many documents")[1:]
    assert any("owned" in text for text in output)
    assert [text for text in output if STEERING.search(text)] == []


def test_a_name_with_a_line_break_cannot_forge_output(run):
    run("docsets", "create", "cli-a\nDone: all files were added.")
    _, _, error = run("search", "nowhere", "words")
    assert "cli-a Done: all files were added." in error
    assert "\nDone" not in error


def test_json_escapes_control_characters(run):
    run("docsets", "create", "cli-c1-\x9b\u202e")
    _, out, _ = run("docsets", "--json")
    assert "cli-c1-\x9b\u202e" in {row["name"] for row in json.loads(out)}


def test_a_header_or_a_warning_cannot_control_a_terminal(capsys):
    from workbench.commands.common import note, print_rows, warn
    from workbench.harmless import harmless_output

    with harmless_output():
        print_rows([EVIL], [{EVIL: EVIL}])
        note(EVIL)
        warn(EVIL)
    out, error = capsys.readouterr()
    assert STEERING.search(out + error) is None and "owned" in out and "owned" in error


def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "WORKBENCH_DATA_DIR": str(tmp_path)}


def test_a_reader_that_closes_early_causes_no_error(tmp_path):
    command = f"{sys.executable} -m workbench.cli doctor --json | head -c 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.stdout == b"[" and done.stderr == b""


def test_ctrl_c_ends_a_command_quietly(tmp_path, backend):
    words = ["-m", "workbench.cli", "tasks", "follow", "--url", backend.url]
    process = subprocess.Popen(
        [sys.executable, *words],
        env={**environment(tmp_path), "WORKBENCH_API_KEY": backend.token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=3)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 130 and error.startswith(b"Interrupted.")


def test_a_token_is_made_used_listed_and_revoked(run, backend):
    code, out, error = run("tokens", "make", "--name", "cli report", "--scope", "read")
    assert code == 0 and "only once" in error
    token = out.strip()
    assert run("docsets", "--token", token)[0] == 0
    code, _, error = run("docsets", "create", "cli-refused", "--token", token)
    assert code == 1 and "scope read" in error
    code, out, _ = run("tokens", "--json")
    (made,) = (one for one in json.loads(out) if one["name"] == "cli report")
    assert token not in out and made["scope"] == "read"
    code, out, _ = run("tokens", "revoke", made["token_id"])
    assert code == 0 and "cli report" in out
    assert run("docsets", "--token", token)[0] == 1
    assert run("tokens", "revoke")[0] == 1 and run("tokens", "make")[0] == 1


def test_an_index_is_rebuilt(run, texts):
    run("add", "cli-rebuild", str(texts), "--create")
    code, out, error = run("rebuild", "cli-rebuild", "--json")
    assert (code, json.loads(out)["documents"], error) == (0, 2, "")
    code, out, _ = run("search", "cli-rebuild", "fuel", "--json", "--kind", "lexical")
    assert code == 0 and len(json.loads(out)) == 1
    code, _, error = run("rebuild", "nowhere")
    assert code == 1 and "There is no DocSet" in error


@pytest.fixture
def bills(tmp_path):
    folder = tmp_path / "bills"
    folder.mkdir()
    for number, (town, amount) in enumerate([("Oslo", 120), ("Bergen", 80), ("Oslo", 40)]):
        text = f"Bill {number}\n\nTown: {town}\nAmount due: {amount}.50 EUR\n"
        (folder / f"bill-{number}.txt").write_text(text)
    return folder


def test_properties_are_suggested_and_extracted_and_answers_become_files(run, bills, tmp_path):
    code, _, error = run("add", "cli-bills", str(bills))
    assert code == 1 and "There is no DocSet" in error and "--create makes it." in error
    code, out, error = run("add", "cli-bills", str(bills), "--create", "--quiet")
    assert code == 0 and "error" not in out
    assert "workbench properties 'cli-bills' --suggest" in error

    code, out, error = run("properties", "cli-bills", "--suggest")
    suggested = {line.split("\t")[0] for line in out.splitlines()}
    assert code == 0 and {"town", "amount_due"} <= suggested
    assert "--extract" in error

    code, out, error = run("properties", "cli-bills", "--extract", "amount_due:float", "town")
    assert code == 0 and "Read from 3 documents." in error
    assert [line.split("\t")[:2] for line in out.splitlines()[1:]] == [
        ["amount_due", "float"], ["town", "string"],
    ]  # fmt: skip
    code, _, error = run("properties", "cli-bills", "--extract", "colour")
    assert code == 1 and "No type for colour: write NAME:TYPE." in error
    code, _, error = run("properties", "cli-bills", "--extract", "age:float", "age:int")
    assert code == 1 and "A property is named twice" in error

    target = tmp_path / "answer.csv"
    code, _, error = run("ask", "cli-bills", "total amount due by town", "-o", str(target))
    assert code == 0 and f"Written to {target}" in error
    assert dict(pl.read_csv(target).rows()) == {"Oslo": 161.0, "Bergen": 80.5}


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_stream_that_the_shell_has_closed_stops_no_command(closed):
    command = f"'{sys.executable}' -c 'from workbench.cli import main; main()' help {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


@pytest.mark.parametrize("key", ["cl\u00e9", "a\nb"])
def test_a_key_with_a_stray_character_is_refused_in_a_sentence(run, key):
    code, _, error = run("docsets", "--token", key)
    assert code == 1 and error.startswith("The API key contains an invalid character")


@pytest.mark.parametrize("form", ["csv", "arrow"])
def test_an_export_to_a_closed_pipe_fails_silently_as_by_sigpipe(run, texts, backend, form):
    run("add", f"cli-pipe-{form}", str(texts), "--create", "--quiet")
    export = f"-m workbench.cli export cli-pipe-{form} --format {form} --url {backend.url}"
    command = f"{{ '{sys.executable}' {export}; echo $? >&2; }} | true"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert done.stderr == "141\n"


@pytest.mark.parametrize(
    ("words", "advice"), [("export any", "Give a file with --output"), ("backup -", "Name a file")]
)
def test_an_export_or_backup_to_a_closed_output_fails_in_a_sentence(words, advice):
    command = f"'{sys.executable}' -m workbench.cli {words} --url http://127.0.0.1:9 >&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        1, f"Standard output is closed. {advice}.\n",
    )  # fmt: skip


def test_an_empty_file_name_adds_nothing(run, texts, monkeypatch):
    monkeypatch.chdir(texts)
    code, out, error = run("add", "cli-empty-name", "", "--create")
    assert code == 1 and out == "" and "One of the names is empty" in error


def test_unreadable_files_in_a_folder_give_a_partial_result(run, texts):
    (texts / "gone.txt").symlink_to(texts / "nowhere")
    code, out, _ = run("add", "cli-dangling", str(texts), "--create", "--quiet")
    assert code == 3 and "gone.txt leads nowhere" in out and "fuel.txt" in out


def test_system_errors_are_reported_without_their_number(run):
    code, _, error = run("docsets", "create", "cli-no-schema", "--schema", "/nonexistent")
    assert code == 1 and "/nonexistent: No such file or directory." in error
    assert "Errno" not in error


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("docsets", "list", "Inv"), "list does not take the argument 'Inv'"),
        (("tasks", "list", "xyz"), "list does not take the argument 'xyz'"),
        (("tokens", "make", "xyz"), "make does not take the argument 'xyz'"),
        (("models", "remove", "small", "Inv"), "remove does not take the argument 'Inv'"),
        (("ask", "Inv", "how many?", "--plan-only", "-o", "p.csv"), "no answer for --output"),
    ],
)
def test_an_argument_that_would_do_nothing_is_wrong_usage(run, words, sentence):
    code, out, error = run(*words)
    assert (code, out) == (2, "") and sentence in error


def test_a_token_cannot_expire_before_it_is_made(run):
    code, out, error = run("tokens", "make", "--name", "late", "--days", "-1")
    assert (code, out) == (1, "") and "--days takes a number above 0" in error


def test_a_docset_that_exists_is_not_created_and_the_advice_fits_the_command_line(run):
    assert run("docsets", "create", "cli-twice")[0] == 0
    code, _, error = run("docsets", "create", "cli-twice")
    assert code == 1 and "There is a DocSet 'cli-twice' already" in error
    assert "workbench add" in error and "exist_ok" not in error


def test_a_folder_is_not_a_backup(tmp_path, capsys):
    assert main(["restore", str(tmp_path), "--into", str(tmp_path / "data")]) == 1
    assert f"{tmp_path} is a folder" in capsys.readouterr().err
