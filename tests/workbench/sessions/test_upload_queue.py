from workbench.sessions.session_file import SessionFile
from workbench.sessions.upload_queue import LEASE_SECONDS, UploadQueue


def states(queue):
    return [upload.state for upload in queue.uploads()]


def test_the_queue_is_there_again_after_a_restart(path, clock, papers):
    first = SessionFile(path)
    UploadQueue(first, clock=clock).add("ds", papers)
    first.close()
    second = SessionFile(path)
    assert [u.name for u in UploadQueue(second, clock=clock).uploads()] == [
        "paper 0.txt", "paper 1.txt", "paper 2.txt",
    ]  # fmt: skip
    second.close()


def test_a_missing_file_is_kept_as_failed_with_its_reason(file, clock, tmp_path):
    queue = UploadQueue(file, clock=clock)
    [upload] = queue.add("ds", [tmp_path / "gone.pdf"])
    assert upload.state == "failed"
    assert "No such file" in upload.reason
    assert queue.uploads() == [upload]


def test_two_programs_never_send_the_same_upload(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    queue.add("ds", papers)
    mine = {upload.id for upload, _ in queue.claim("me", 2)}
    yours = {upload.id for upload, _ in queue.claim("you", 2)}
    assert len(mine) == 2
    assert len(yours) == 1
    assert not mine & yours


def test_uploads_of_a_killed_program_come_back_and_are_marked_as_orphans(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    queue.add("ds", papers[:1])
    queue.claim("killed", 1)
    assert queue.claim("heir", 1) == []
    clock.now += LEASE_SECONDS + 1
    [(upload, orphaned)] = queue.claim("heir", 1)
    assert orphaned
    assert upload.name == "paper 0.txt"


def test_a_living_program_keeps_its_uploads_by_renewing(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    queue.add("ds", papers[:1])
    queue.claim("living", 1)
    clock.now += LEASE_SECONDS - 1
    queue.renew("living")
    clock.now += LEASE_SECONDS - 1
    assert queue.claim("heir", 1) == []


def test_retry_all_takes_failures_and_leaves_duplicates(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    failed, duplicate, done = queue.add("ds", papers)
    queue.change(failed.id, "failed", reason="too large")
    queue.change(duplicate.id, "duplicate", reason="same content")
    queue.change(done.id, "done")
    assert queue.retry() == 1
    assert states(queue) == ["queued", "duplicate", "done"]
    assert queue.get(failed.id).reason is None


def test_a_duplicate_that_is_named_is_sent_nevertheless(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    [upload] = queue.add("ds", papers[:1])
    queue.change(upload.id, "duplicate", reason="same content")
    assert queue.retry([upload.id]) == 1
    assert queue.get(upload.id).forced


def test_clearing_removes_finished_uploads_and_keeps_failures(file, clock, papers):
    queue = UploadQueue(file, clock=clock)
    failed, done, waiting = queue.add("ds", papers)
    queue.change(failed.id, "failed", reason="encrypted")
    queue.change(done.id, "done")
    assert queue.clear_done() == 1
    assert {upload.id for upload in queue.uploads()} == {failed.id, waiting.id}


def test_uploads_of_another_server_are_out_of_sight(file, clock, papers):
    UploadQueue(file, server="https://elsewhere", clock=clock).add("ds", papers)
    here = UploadQueue(file, clock=clock)
    assert here.uploads() == []
    assert here.claim("me", 5) == []
    assert here.retry() == 0
