"""Contract tests for plugin authors: what every strategy of a role must keep, in two lines.

    from treekit.testing import contract_tests_for
    test_contract = contract_tests_for("treekit_bhattacharyya")

pytest then runs one test per strategy and law, named after both. `contract_tests("criterion",
Bhattacharyya)` does the same for single classes or objects. The laws draw their cases from fixed
seeds, so a run is the same every time. Needs pytest; treekit itself never imports this package.
"""

from treekit.testing.collecting import contract_tests, contract_tests_for
from treekit.testing.laws import Law, laws_of
from treekit.testing.samples import sample_table
from treekit.testing.trees import check_tree, faults_of

__all__ = [
    "Law",
    "check_tree",
    "contract_tests",
    "contract_tests_for",
    "faults_of",
    "laws_of",
    "sample_table",
]
