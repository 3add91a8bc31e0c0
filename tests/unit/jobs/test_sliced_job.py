"""Jobs give what a plain call gives, whoever does the work and however it is cut."""

import subprocess
import sys

import numpy as np
import pytest

from pynav.jobs import SlicedJob, job_stats
from pynav.kernels import KernelArgumentError, kernel, pool


@kernel("int64[::1] values, int64[::1] progress, int64 budget")
def fill_squares(values, progress, budget):
    first = progress[0]
    last = min(np.int64(values.shape[0]), first + budget)
    for index in range(first, last):
        values[index] = np.int64(index) * np.int64(index) + (values[index - 1] if index > 0 else np.int64(0))
    progress[0] = last
    progress[1] = 1 if last == values.shape[0] else 0


def expected(count: int) -> list[int]:
    return np.cumsum(np.arange(count, dtype=np.int64) ** 2).tolist()


@pytest.mark.parametrize("budget", [1, 7, 1000, 10**6])
@pytest.mark.parametrize("started", [True, False])
def test_result_is_the_same_for_every_slicing_and_thread(budget: int, started: bool) -> None:
    values, progress = np.zeros(5000, np.int64), np.zeros(2, np.int64)
    job = SlicedJob(fill_squares.bind(values, progress, budget), progress, 1)
    if started:
        job.start()
    job.finish()
    assert job.is_done
    assert values.tolist() == expected(5000)


def test_background_thread_does_the_work_without_the_caller() -> None:
    values, progress = np.zeros(2000, np.int64), np.zeros(2, np.int64)
    job = SlicedJob(fill_squares.bind(values, progress, 10), progress, 1)
    job.start()
    if not job.is_started:
        pytest.skip("the python backend has no background thread")
    for _ in range(10**7):
        if job.is_done:
            break
    assert job.finish() == 0
    assert values.tolist() == expected(2000)


def test_deadline_counts_as_overshoot() -> None:
    values, progress = np.zeros(100, np.int64), np.zeros(2, np.int64)
    before = job_stats()
    assert SlicedJob(fill_squares.bind(values, progress, 10), progress, 1).finish() == 10
    after = job_stats()
    assert (after.overshoots - before.overshoots, after.inline_slices - before.inline_slices) == (1, 10)


def test_cancelled_job_stops_and_can_go_on() -> None:
    values, progress = np.zeros(100_000, np.int64), np.zeros(2, np.int64)
    job = SlicedJob(fill_squares.bind(values, progress, 1), progress, 1)
    job.start()
    job.cancel()
    done = int(progress[0])
    assert not job.is_started
    assert int(progress[0]) == done
    job.finish()
    assert values.tolist() == expected(100_000)


def test_dismissed_job_is_released_by_and_by_and_can_go_on() -> None:
    values, progress = np.zeros(100_000, np.int64), np.zeros(2, np.int64)
    waiting_values, waiting_progress = np.zeros(10, np.int64), np.zeros(2, np.int64)
    job = SlicedJob(fill_squares.bind(values, progress, 1), progress, 1)
    waiting = SlicedJob(fill_squares.bind(waiting_values, waiting_progress, 1), waiting_progress, 1)
    for each in (job, waiting):
        each.start()
        each.dismiss()
    while not (job.is_released and waiting.is_released):
        pass
    done = int(progress[0])
    assert not job.is_started and not waiting.is_started and waiting_progress[0] in (0, 10)
    assert int(progress[0]) == done
    job.finish()
    assert values.tolist() == expected(100_000)


def test_a_job_that_gives_way_lets_others_go_first() -> None:
    values, progress = np.zeros(3000, np.int64), np.zeros(2, np.int64)
    call = fill_squares.bind(values, progress, 0)
    endless = SlicedJob(call, progress, 1, gives_way=True)
    endless.start()
    if not endless.is_started:
        pytest.skip("the python backend has no background thread")
    for _ in range(3):
        other_values, other_progress = np.zeros(2000, np.int64), np.zeros(2, np.int64)
        other = SlicedJob(fill_squares.bind(other_values, other_progress, 10), other_progress, 1)
        other.start()
        for _ in range(10**7):
            if other.is_done:
                break
        assert other.finish() == 0
        assert other_values.tolist() == expected(2000)
    assert not endless.is_done and not endless.is_released
    endless.cancel()
    call.set("budget", 7)
    endless.finish()
    assert values.tolist() == expected(3000)


def test_many_jobs_in_order() -> None:
    jobs = []
    for count in range(1, 40):
        values, progress = np.zeros(count * 10, np.int64), np.zeros(2, np.int64)
        job = SlicedJob(fill_squares.bind(values, progress, 3), progress, 1)
        job.start()
        jobs.append((job, values))
    for job, _ in jobs[::2]:
        job.cancel()
    for job, values in reversed(jobs):
        job.finish()
        assert values.tolist() == expected(len(values))


def test_shutdown_with_queued_jobs_and_work_after_it() -> None:
    values, progress = np.zeros(50_000, np.int64), np.zeros(2, np.int64)
    job = SlicedJob(fill_squares.bind(values, progress, 1), progress, 1)
    job.start()
    threads = pool.get_threads()
    pool.shutdown()
    job.finish()
    assert values.tolist() == expected(50_000)
    pool.set_threads(threads)


def test_wrong_progress_is_refused() -> None:
    values, progress = np.zeros(10, np.int64), np.zeros(2, np.int64)
    call = fill_squares.bind(values, progress, 1)
    with pytest.raises(KernelArgumentError, match="expected progress as contiguous int64"):
        SlicedJob(call, np.zeros(2, np.int32), 1)
    with pytest.raises(KernelArgumentError, match="entry 5"):
        SlicedJob(call, progress, 5)


def test_a_process_may_end_while_jobs_run() -> None:
    script = """
import numpy as np
from pynav.grid import TileGrid
from pynav.world import World
world = World()
world.set_grid(TileGrid(np.ones((768, 768), np.uint8)))
for index in range(32):
    world.add_crowd(1).set_goal([(20 * index, 700)])
for _ in range(3):
    world.step(1 / 60)
print(world.queue_length)
"""
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert int(done.stdout) > 20
