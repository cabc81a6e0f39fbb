"""What a model writes before its answer is no part of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.problem import Problem
from pfe.scorers import SCORERS, Score, score, score_all
from pfe.thoughts import after_thoughts, closes_thought

# The marks that the chat templates named in the module put around a thought.
MARKS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)
ANSWERS = st.text("abc 18.\n*", min_size=1).filter(str.strip)
THOUGHTS = st.text("abc 12.\n{}", max_size=40)


@pytest.mark.parametrize(("opening", "closing"), MARKS)
@given(thought=THOUGHTS, answer=ANSWERS)
def test_the_answer_is_what_follows_a_thought(opening: str, closing: str, thought: str, answer: str) -> None:
    for output in (f"{opening}{thought}{closing}{answer}", f"\n{opening}\n{thought}\n{closing}\n{answer}"):
        assert (after_thoughts(output) or "").strip() == answer.strip()
    assert (after_thoughts(f"{opening}{thought}{closing}" * 2 + answer) or "").strip() == answer.strip()


@pytest.mark.parametrize(("opening", "closing"), MARKS)
@given(thought=THOUGHTS, answer=ANSWERS)
def test_a_closing_mark_without_an_opening_one_ends_a_thought(
    opening: str, closing: str, thought: str, answer: str
) -> None:
    assert (after_thoughts(f"{thought}{closing}{answer}") or "").strip() == answer.strip()


@pytest.mark.parametrize("mark", [opening for opening, _ in MARKS])
@pytest.mark.parametrize("name", sorted(SCORERS))
def test_a_thought_that_never_ends_is_no_answer(name: str, mark: str) -> None:
    problem = Problem("a/1", "a", "math", "?", "18", choices=("18", "12"), tests=("assert f(1) == 1",))
    for output in (f"{mark}The answer is 18", f"Well.\n{mark}\n18"):
        assert after_thoughts(output) is None
        assert score(name, problem, output) == Score(False, "")  # type: ignore[arg-type]
        assert score_all(name, [problem] * 2, [output, ""])[0] == Score(False, "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("18", "18"),
        ("", ""),
        ("Use `<think>` tags: 18", "Use `<think>` tags: 18"),
        ("<think>a<think>b</think>c</think>18", "18"),
        ("18\n<think>9 * 2 is 18</think>", "18"),
        ("<think>a</think>18<think>b</think>\n", "18"),
        ('<think>The answer is "18"</think>"18"', '"18"'),
        ("<think>Is it `18`</think>`18`", "`18`"),
        ('<think>Is it \'12\' or "18</think>"18"', '"18"'),
        ("<think>I don't know, 'tis 18</think>'18'", "'18'"),
        ("<think>It ends at </think>.", "."),
        ('Write "<think>" or "</think>", then 18', 'Write "<think>" or "</think>", then 18'),
        ("18<think>a<|channel|>final<|message|></think><|channel|>final<|message|>", "18"),
        ("Sure! <think>12?</think>18", "18"),
        ("analysisWe add 9 and 9.assistantfinal18", "18"),
        ("analysis of the eggs: 18", "analysis of the eggs: 18"),
        ("<|channel|>final<|message|>18", "18"),
        ("<think>\n\n</think>\n\n18", "18"),
    ],
)
def test_only_a_thought_is_removed(output: str, answer: str) -> None:
    assert (after_thoughts(output) or "").strip() == answer


@pytest.mark.parametrize(("opening", "closing"), MARKS)
@given(before=st.text("ab '\"\\(", max_size=5))
def test_a_mark_within_a_text_of_code_or_json_is_no_mark(opening: str, closing: str, before: str) -> None:
    for text in (f"{before}{opening}", f"{before} {closing} b", f"{before}{opening}a{closing}b"):
        inner = json.dumps({"to": "Bo", "text": text}, ensure_ascii=False)
        for answer in (f"f({text!r}, n=1)", f"[f(text={text!r})]", inner, json.dumps({"arguments": inner}, indent=1)):
            assert after_thoughts(answer) == answer
            assert after_thoughts(f"<think>I don't know, is it {answer}?</think>{answer}") == answer
            assert after_thoughts(f"<think>\n{answer}\n</think>18") == "18"
            assert after_thoughts(f"<think>\n{answer}") is None


@pytest.mark.parametrize("closing", ["</think>", "[/THINK]", "◁/think▷"])
def test_a_mark_closes_as_soon_as_it_is_written_unless_a_quotation_opens_right_before_it(closing: str) -> None:
    for thought in ("so 18", 'so "18"', "so `18`", "so '18'", "so f('18')", 'it is 3" long'):
        assert closes_thought(f"{thought}{closing}")
    for thought in ('I end with "', "I end with '", "I end with `"):
        assert not closes_thought(f"{thought}{closing}")
        assert not closes_thought(f"{thought}{closing}{thought[-1]}, then")


def test_what_gpt_oss_writes_without_its_special_tokens_may_be_cut_too() -> None:
    assert after_thoughts("analysisWe add 9 and") is None


def test_every_answer_of_many_is_scored_as_alone() -> None:
    problem = Problem("a/1", "a", "math", "?", "18")
    outputs = ["18", "<think>18", "<think>12</think>18", "12"]
    assert score_all("number", [problem] * 4, outputs) == [score("number", problem, output) for output in outputs]
