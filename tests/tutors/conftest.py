"""Restrict a run with `--family` to the tests that loop over families, in the sets that have the named ones."""

import pytest

from tests import each


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if names := config.getoption("family"):
        each.refuse_unknown_families(names)
        each.PROBLEMS = each.CLOSE
        config.hook.pytest_deselected(items=[item for item in items if not each.has_chosen(item)])
        items[:] = [item for item in items if each.has_chosen(item)]
