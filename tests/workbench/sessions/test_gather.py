import os
import shlex

import pytest

from workbench.sessions.gather import Gathered, gather, gather_all, split_words
from workbench.sessions.path_completion import path_choices


def test_a_folder_is_read_to_the_bottom_without_hidden_files(tmp_path):
    for name in ("a.pdf", "deep/er/b.pdf", ".hidden", ".git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    names = [path.name for path in gather(str(tmp_path)).files]
    assert names == ["a.pdf", "b.pdf"]


def test_a_pattern_selects_matching_files_once(tmp_path, papers):
    gathered = gather(f'"{tmp_path}/*.txt" "{papers[0]}"')
    assert gathered.files == tuple(papers)


@pytest.mark.parametrize("paste", ["plain", "quoted", "escaped", "address", "lines"])
def test_dropped_files_are_understood_in_every_spelling_of_terminals(papers, paste):
    spelt = {
        "plain": str(papers[0]),
        "quoted": " ".join(f"'{paper}'" for paper in papers),
        "escaped": " ".join(str(paper).replace(" ", "\\ ") for paper in papers),
        "address": papers[0].as_uri(),
        "lines": "\n".join(map(str, papers)),
    }[paste]
    wanted = tuple(papers[:1] if paste in ("plain", "address") else papers)
    assert gather(spelt).files == wanted


def test_a_name_with_an_apostrophe_is_one_word(tmp_path):
    paper = tmp_path / "pilot's report.pdf"
    paper.write_text("x")
    assert gather(str(paper)).files == (paper,)
    assert split_words("it's") == ["it's"]


def test_missing_paths_are_reported_and_the_rest_is_gathered(tmp_path, papers):
    (tmp_path / "empty").mkdir()
    text = "\n".join([str(papers[0]), "missing.pdf", shlex.quote(f"{tmp_path}/*.doc"), "empty"])
    gathered = gather(text, base=tmp_path)
    assert gathered.files == (papers[0],)
    assert gathered.problems == (
        "There is no file missing.pdf.",
        f"No file matches {tmp_path}/*.doc.",
        "The folder empty contains no files.",
    )


def test_a_pipe_in_a_folder_is_reported(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    for text in (str(tmp_path), f"{tmp_path}/*"):
        gathered = gather(text)
        assert gathered.files == (tmp_path / "a.txt",)
        assert gathered.problems == (f"{tmp_path}/pipe is not a file.",)


def test_an_empty_name_is_not_the_working_folder(papers, monkeypatch):
    monkeypatch.chdir(papers[0].parent)
    assert gather_all([""]) == Gathered((), ("The name of the file is empty.",))


def test_unreadable_files_and_broken_links_are_reported(tmp_path, papers, monkeypatch):
    closed, link = papers[0].parent / "closed", papers[0].parent / "link.txt"
    closed.mkdir()
    (closed / "secret.txt").write_text("x")
    link.symlink_to(tmp_path / "nowhere")
    listed = os.scandir

    def refusing(place):
        if str(place) == str(closed):
            raise PermissionError(13, "Permission denied", str(closed))
        return listed(place)

    monkeypatch.setattr(os, "scandir", refusing)
    denied = f"The folder {closed} cannot be read: Permission denied."
    dangling = f"The link {link} leads nowhere."
    gathered = gather(str(papers[0].parent))
    assert gathered.files == tuple(papers) and gathered.problems == (denied, dangling)
    assert gather(str(closed)).problems == (denied,)
    assert gather(f"{link} /dev/null").problems == (dangling, "/dev/null is not a file.")


def test_links_never_leave_the_folder_and_each_file_is_gathered_once(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "a.txt").write_text(folder.name)
    (inside / "link.txt").symlink_to(outside / "a.txt")
    (inside / "again.txt").symlink_to(inside / "a.txt")
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    for word in (str(inside), f"{inside}/**", f"{inside}/**/*", f"{inside}/*.txt"):
        gathered = gather(word)
        assert [path.read_text() for path in gathered.files] == ["inside"], word
        folders = [] if word.endswith("txt") else [inside / "folder"]
        for link in [*folders, inside / "link.txt"]:
            assert any(f"{link} leads out" in problem for problem in gathered.problems), word
    assert len(gather(str(inside / "link.txt")).files) == 1  # asked for by name
    assert len(gather(f"{inside}/a.txt {inside}/again.txt {inside}").files) == 1


def test_a_folder_above_the_data_folder_gives_nothing_of_the_server(tmp_path, monkeypatch):
    data = tmp_path / "data"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(data))
    (data / "notebooks").mkdir(parents=True)
    for name in ("token", "notebooks/tour.txt", "../mine.txt"):
        (data / name).write_text("text")
    for named in (str(tmp_path), f"{tmp_path}/**"):
        assert [file.name for file in gather(named).files] == ["mine.txt"]
    assert gather(str(data)).files == ()
    assert [file.name for file in gather(str(data / "notebooks")).files] == ["tour.txt"]


@pytest.mark.parametrize("word", ["y" * 256, "~nobody-by-that-name/x", "file://[x", "a\0b"])
def test_impossible_file_names_are_reported_and_the_rest_is_gathered(papers, word):
    gathered = gather_all([word, str(papers[0])])
    assert gathered.files == (papers[0],)
    assert len(gathered.problems) == 1 and word in gathered.problems[0]
    assert gather(word).files == ()
    assert path_choices(word).names == ()
