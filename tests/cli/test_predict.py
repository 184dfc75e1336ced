"""`treekit predict`: answers as CSV or JSON, on stdout or in a file."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from .conftest import SHOP, Treekit

NEW = "price,age,size,income,member,colour\n1.0,25,S,low,no,red\n5.0,60,L,high,yes,blue\n"


def test_answers_are_a_column_with_the_targets_name(treekit: Treekit, model: str) -> None:
    Path("new.csv").write_text(NEW)
    answer = treekit("predict", model, "new.csv")
    assert (answer.code, answer.out, answer.err) == (0, "bought\nno\nyes\n", "")


def test_shares_are_a_column_for_each_class(treekit: Treekit, model: str) -> None:
    Path("new.csv").write_text(NEW)
    assert treekit("predict", model, "new.csv", "--proba").out == "no,yes\n1.0,0.0\n0.0,1.0\n"


def test_json_is_a_list_of_rows(treekit: Treekit, model: str) -> None:
    Path("new.csv").write_text(NEW)
    labels = json.loads(treekit("predict", model, "new.csv", "--json").out)
    shares = json.loads(treekit("predict", model, "new.csv", "--json", "--proba").out)
    assert labels == [{"bought": "no"}, {"bought": "yes"}]
    assert shares == [{"no": 1.0, "yes": 0.0}, {"no": 0.0, "yes": 1.0}]


def test_answers_can_be_written(treekit: Treekit, model: str) -> None:
    Path("new.csv").write_text(NEW)
    answer = treekit("predict", model, "new.csv", "-o", "out.csv")
    assert (answer.out, answer.notes) == ("", ["wrote out.csv"])
    assert Path("out.csv").read_text() == "bought\nno\nyes\n"


def test_a_file_that_is_written_anew_keeps_its_mode(treekit: Treekit, model: str) -> None:
    out = Path("out.csv")
    out.write_text("old")
    out.chmod(0o640)
    treekit("predict", model, "shop.csv", "-o", "out.csv")
    assert out.stat().st_mode & 0o777 == 0o640
    assert out.read_text().startswith("bought\n")


def test_errors_are_told_if_the_target_is_there(treekit: Treekit, model: str) -> None:
    answer = treekit("predict", model, "shop.csv")
    assert answer.notes == ["0 of 8 rows wrong (0.0 %)"]


def test_data_may_come_from_standard_input(treekit: Treekit, model: str) -> None:
    assert treekit("predict", model, "-", stdin=NEW).out == "bought\nno\nyes\n"


def test_a_column_can_weigh_the_errors(treekit: Treekit, model: str) -> None:
    answer = treekit("predict", model, "shop.csv", "--weights", "price")
    assert answer.notes == ["0 of 21.5 weight wrong (0.0 %)"]


def test_a_built_in_data_set_is_named_as_the_user_does(treekit: Treekit, model: str) -> None:
    answer = treekit("predict", model, "mammals:test")
    first = answer.err.splitlines()[0]
    assert (answer.code, first.partition(";")[0]) == (
        2,
        "error: mammals:test: there is no column 'age', which the model uses",
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_the_model_may_come_through_a_pipe(treekit: Treekit, model: str, folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(Path(model).read_bytes()))
    writer.start()
    answer = treekit("predict", "pipe", "-", stdin=NEW)
    writer.join()
    assert answer.out == "bought\nno\nyes\n"


def test_the_unlabelled_part_of_a_built_in_data_set_can_be_asked(treekit: Treekit) -> None:
    treekit("fit", "id3", "attrib", "-o", "model.json")
    answer = treekit("predict", "model.json", "attrib:test", "--quiet")
    assert (len(answer.lines), answer.err) == (6, "")


def test_a_level_that_was_never_seen_is_noted(treekit: Treekit) -> None:
    treekit("fit", "c45", "shop.csv", "--target", "bought", "-o", "model.json")
    Path("new.csv").write_text(NEW.replace("yes", "perhaps"))
    answer = treekit("predict", "model.json", "new.csv")
    assert answer.code == 0
    assert "'perhaps'" in answer.err


def test_marks_and_encoding_can_be_said(treekit: Treekit) -> None:
    treekit("fit", "c45", "shop.csv", "--target", "bought", "-o", "model.json")
    Path("new.csv").write_text(NEW.replace("1.0", "nö"), encoding="latin-1")
    words = ["predict", "model.json", "new.csv", "--missing", "nö", "--encoding", "latin-1"]
    answer = treekit(*words)
    assert (answer.code, len(answer.lines)) == (0, 3)


def test_numbers_are_answered_with_all_their_digits(treekit: Treekit) -> None:
    rows = "".join(
        f"{i},{i > 20}.1\n".replace("True", "3").replace("False", "2") for i in range(40)
    )
    Path("line.csv").write_text("x,y\n" + rows)
    treekit("fit", "regression", "line.csv", "--target", "y", "-o", "model.json")
    lines = treekit("predict", "model.json", "line.csv").lines
    assert lines[0] == "y"
    assert abs(float(lines[1]) - 2.1) < 1e-12


def test_numbers_have_no_shares(treekit: Treekit) -> None:
    Path("line.csv").write_text("x,y\n" + "".join(f"{i},{i}\n" for i in range(40)))
    treekit("fit", "regression", "line.csv", "--target", "y", "-o", "model.json")
    answer = treekit("predict", "model.json", "line.csv", "--proba")
    assert (answer.code, answer.err) == (
        2,
        "error: model.json: the model predicts a number, 'y', and has no class shares;"
        " leave out --proba\n",
    )


def test_the_model_must_be_a_model(treekit: Treekit) -> None:
    Path("model.json").write_text(SHOP)
    answer = treekit("predict", "model.json", "shop.csv")
    assert answer.code == 2
    assert answer.err.startswith("error: model.json")
