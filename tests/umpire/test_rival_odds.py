"""Two libraries that nobody here wrote count the same gunfire to the same fractions."""

from __future__ import annotations

import pytest

from tests.benches.odds import QUESTIONS, Question, agree


@pytest.mark.filterwarnings("ignore:.expand. is experimental")
@pytest.mark.rule("aod:4.6")
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_icepool_and_dyce_agree(question: Question) -> None:
    agree(question)
