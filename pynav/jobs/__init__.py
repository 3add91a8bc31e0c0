"""Jobs: heavy work beside the frames, on a native background thread that runs sliced kernels without the GIL.

A sliced kernel does a fixed share of work a call and notes in an array when all is done. How much was done in which call never
shows in its result, and who uses a job publishes on a tick that depends on counts alone: so a job is as deterministic as a
plain call, on any machine and under any load. At the deadline whatever is left is done by the caller (overshoot).
"""

from pynav.jobs.cache_counts import CacheCounts
from pynav.jobs.scheduler import JobBudget, JobObserver, JobScheduler, SchedulerStatistics, Ticket, Work
from pynav.jobs.sliced_job import JobStatistics, SlicedJob, job_stats

__all__ = [
    "CacheCounts",
    "JobBudget",
    "JobObserver",
    "JobScheduler",
    "JobStatistics",
    "SchedulerStatistics",
    "SlicedJob",
    "Ticket",
    "Work",
    "job_stats",
]
