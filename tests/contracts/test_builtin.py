"""Every standard strategy keeps the laws of its role."""

from __future__ import annotations

from treekit.testing import contract_tests_for

test_contract = contract_tests_for("treekit_builtin")
