from pfe.api import Judgement, Result, Screened, check, evaluate, judge

__all__ = ["Judgement", "Result", "Screened", "check", "evaluate", "judge"]
