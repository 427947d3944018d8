"""What follows many changes leaves time to everything else."""

import pytest

from workbench.sessions.pace import Pace


@pytest.mark.parametrize(("seconds", "pause"), [(0.001, 0.1), (0.5, 4.5)])
def test_drawing_takes_at_most_a_tenth_of_the_time(seconds: float, pause: float) -> None:
    times = iter([0.0, seconds])
    pace = Pace(lambda: next(times))
    assert pace.pause == 0.1
    with pace.drawing():
        pass
    assert pace.pause == pytest.approx(pause)
