"""Running a plan: sources, steps, traces, answers, and what is kept of a run."""
