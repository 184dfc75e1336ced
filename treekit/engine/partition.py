"""Kernels that send the cases of split nodes to their children, in the order they had.

`order` lists cases node by node: node n's are order[start[n]:stop[n]].
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.scan import HALF, LOW, add_case, row_of, weight_of
from treekit.route import branch_of, stand_in, value_asked
from treekit.tree import CUTS, NOWHERE, SPREAD, STAY


@kernel
def cut_ranks(held, places, offset, size, operands, start, stop, ranks):  # type: ignore[no-untyped-def]
    """ranks[i]: the greatest rank whose value is not above operands[i], -1: there is none."""
    for i in range(start, stop):
        low, high = 0, size
        while low < high:
            middle = (low + high) // 2
            if held[places[offset + middle]] > operands[i]:
                high = middle
            else:
                low = middle + 1
        ranks[i] = low - 1


@kernel
def take_branches(  # type: ignore[no-untyped-def]
    words, codes, class_bits, carried, loose, code_row, held, places, offset, n_distinct, start,
    stop, kind, column, operands, operand_start, first_child, cells, rows, weights, ranks, branch,
    known_weight, lost,
):  # fmt: skip
    """The branch of every case of the split nodes, each child's known weight, and how many
    cases of each node go nowhere.

    Cuts of a column are asked of ranks, which lie closer together than the table's cells, or are
    in the words themselves. To lie above a cut is to have a rank above `ranks` of it.
    """
    for n in range(start.shape[0]):
        what, asked, begin, end = kind[n], column[n], operand_start[n], operand_start[n + 1]
        by_rank = what == CUTS
        row, which, size = np.int64(0), np.int64(0), np.int64(0)
        if by_rank:
            k = code_row[asked]
            row, which, size = carried[k], loose[k], n_distinct[k]
            cut_ranks(held, places, offset[k], size, operands, begin, end, ranks)
        walked = words[row]
        for i in range(start[n], stop[n]):
            case = walked[i] & LOW
            if by_rank:
                code = walked[i] >> HALF if row > 0 else np.uint64(codes[which, case])
                rank = np.int64(code >> class_bits)
                value = np.float64(rank) if rank < size else np.nan
                taken = branch_of(what, ranks, begin, end, value)
            else:
                value = value_asked(cells, row_of(rows, case), asked, what, operands, begin, end)
                taken = branch_of(what, operands, begin, end, value)
            branch[case] = taken
            if taken == NOWHERE:
                lost[n] += 1
            else:
                known_weight[first_child[n] + taken] += weight_of(weights, case)


@kernel
def settle(  # type: ignore[no-untyped-def]
    order, start, stop, first_child, n_children, destination, known_weight,
    rows, weights, y, branch, extra, stats, count,
):  # fmt: skip
    """Decide every case's child, the unknown ones included, and add up the children.

    A spread case stays one case in the first child that has weight, and becomes a new case in
    each other: `extra[case]` is where its new cases begin. New cases are appended to `rows`,
    `weights` and `y`, which have room. Returns the number of cases. `destination` is [n, 1], or
    [n, 1 + classes] where it depends on the class.
    """
    n_cases = extra.shape[0]
    for n in range(start.shape[0]):
        first = first_child[n]
        total = 0.0
        for child in range(first, first + n_children[n]):
            total += known_weight[child]
        for i in range(start[n], stop[n]):
            case = order[i]
            if branch[case] == NOWHERE:
                to = destination[n, 0]
                if destination.shape[1] > 1:
                    to = destination[n, 1 + int(y[case])]
                branch[case] = to
                if to == SPREAD:
                    extra[case] = n_cases
                    whole = weights[case]
                    placed = False
                    for child in range(first, first + n_children[n]):
                        if known_weight[child] <= 0.0:
                            continue
                        share = whole * known_weight[child] / total
                        if placed:
                            rows[n_cases] = rows[case]
                            weights[n_cases] = share
                            y[n_cases] = y[case]
                            n_cases += 1
                        else:
                            weights[case] = share
                            placed = True
                        add_case(stats[child], y[case], share)
                        count[child] += 1
                    if not placed:
                        branch[case] = STAY
                    continue
                if to < 0:
                    continue
            child = first + branch[case]
            add_case(stats[child], y[case], weight_of(weights, case))
            count[child] += 1
    return n_cases


@kernel
def scatter(  # type: ignore[no-untyped-def]
    words, start, stop, first_child, n_children, known_weight, whole, branch, extra, begin, end,
    out,
):  # fmt: skip
    """Move every row of words to the children, each child's in the order they had.

    A child's words go from begin[child] to end[child] of the row of `out`; the first is -1 if the
    child is closed and needs none. In a `whole` node no case was spread or stays.
    """
    cursor = np.empty(begin.shape[0], np.int64)
    for c in range(words.shape[0]):
        row = words[c]
        moved = out[c]
        for child in range(begin.shape[0]):
            cursor[child] = begin[child]
        for n in range(start.shape[0]):
            first = first_child[n]
            wanted = 0
            for child in range(first, first + n_children[n]):
                if begin[child] >= 0:
                    wanted += 1
            if wanted == 0:
                continue
            # With two branches there is no branch on where a case goes, as no processor could
            # foretell it.
            if wanted == 2 and n_children[n] == 2 and whole[n]:
                left, right = begin[first], begin[first + 1]
                for i in range(start[n], stop[n]):
                    word = row[i]
                    taken = branch[word & LOW]
                    moved[right if taken == 1 else left] = word
                    left += 1 - taken
                    right += taken
                continue
            if n_children[n] == 2 and whole[n]:
                open_one = 1 if begin[first + 1] >= 0 else 0
                at, last = begin[first + open_one], end[first + open_one]
                i = start[n]
                while at < last:
                    # A case of the other branch is written over by what comes next.
                    word = row[i]
                    moved[at] = word
                    at += int(branch[word & LOW] == open_one)
                    i += 1
                continue
            for i in range(start[n], stop[n]):
                word = row[i]
                case = word & LOW
                taken = branch[case]
                if taken >= 0:
                    child = first + taken
                    if begin[child] >= 0:
                        moved[cursor[child]] = word
                        cursor[child] += 1
                elif taken == SPREAD:
                    copy = case
                    following = extra[case]
                    for child in range(first, first + n_children[n]):
                        if known_weight[child] > 0.0:
                            if begin[child] >= 0:
                                moved[cursor[child]] = (word & ~LOW) | np.uint64(copy)
                                cursor[child] += 1
                            copy = np.uint64(following)
                            following += 1


@kernel
def put_in_order(codes, begin, out):  # type: ignore[no-untyped-def]
    """The words of all rows, codes ascending, rows of one code in their order, by counting.

    `begin` is scratch: zeros, as many as there may be codes and one.
    """
    for i in range(codes.shape[0]):
        begin[codes[i] + np.uint32(1)] += 1
    for code in range(1, begin.shape[0]):
        begin[code] += begin[code - 1]
    for i in range(codes.shape[0]):
        out[begin[codes[i]]] = (np.uint64(codes[i]) << HALF) | np.uint64(i)
        begin[codes[i]] += 1


@kernel
def renumber(words, number):  # type: ignore[no-untyped-def]
    """Give every case its place in the first row as its new number.

    `number` is scratch, one for each case if there are further rows.
    """
    if words.shape[0] > 1:
        for i in range(words.shape[1]):
            number[words[0, i]] = i
    for c in range(1, words.shape[0]):
        for i in range(words.shape[1]):
            word = words[c, i]
            words[c, i] = (word & ~LOW) | number[word & LOW]
    for i in range(words.shape[1]):
        words[0, i] = i


@kernel
def histograms(  # type: ignore[no-untyped-def]
    order, start, stops, levels, which, n_levels, rows, weights, y, stats, count
):
    """The statistics and the number of known cases by level, in each node and column."""
    for n in range(start.shape[0]):
        for j in range(which.shape[0]):
            values, here, counted = levels[which[j]], stats[n, j], count[n, j]
            for i in range(start[n], stops[n, j]):
                case = order[i]
                level = values[row_of(rows, case)]
                if level < n_levels[j]:
                    add_case(here[level], y[case], weight_of(weights, case))
                    counted[level] += 1


@kernel
def tally(  # type: ignore[no-untyped-def]
    order, start, stops, levels, which, n_levels, rows, y, stats, count
):
    """The same of classes, where every case weighs 1."""
    classes = stats.shape[3] - 1
    room = np.uint64(0)
    for j in range(which.shape[0]):
        room = max(room, np.uint64((n_levels[j] + 1) * classes))
    counts = np.empty(room, np.int64)
    for n in range(start.shape[0]):
        for j in range(which.shape[0]):
            values = levels[which[j]]
            counts[:] = 0
            for i in range(start[n], stops[n, j]):
                case = order[i]
                at = np.uint64(values[row_of(rows, case)]) * np.uint64(classes)
                counts[at + np.uint64(y[case])] += 1
            for level in range(n_levels[j]):
                n_here = 0
                for k in range(classes):
                    stats[n, j, level, 1 + k] = counts[level * classes + k]
                    n_here += counts[level * classes + k]
                stats[n, j, level, 0] = count[n, j, level] = n_here


@kernel
def sent_stats(order, start, stop, branch, weights, y, stats):  # type: ignore[no-untyped-def]
    """stats[n, k]: the statistics of the cases that each node sends to each branch."""
    for n in range(start.shape[0]):
        for i in range(start[n], stop[n]):
            case = order[i]
            if branch[case] != NOWHERE:
                add_case(stats[n, branch[case]], y[case], weight_of(weights, case))


@kernel
def stand_in_cases(  # type: ignore[no-untyped-def]
    order, start, stop, cells, rows, first, column, kind, begin, operands, flipped, branch, lost
):
    """Send the cases that go nowhere where the nodes' surrogates say."""
    for n in range(start.shape[0]):
        for i in range(start[n], stop[n]):
            case = order[i]
            if branch[case] == NOWHERE:
                branch[case] = stand_in(
                    cells, row_of(rows, case), first[n], first[n + 1],
                    column, kind, begin, operands, flipped,
                )  # fmt: skip
                if branch[case] != NOWHERE:
                    lost[n] -= 1


@kernel
def value_sums(order, start, stop, values, rows, weights, y, by_class, sums):  # type: ignore[no-untyped-def]
    """sums[n, g] = [weight, weighted sum of the known values], of all cases and of each class."""
    for n in range(start.shape[0]):
        for i in range(start[n], stop[n]):
            case = order[i]
            value = values[row_of(rows, case)]
            if value == value:
                weight = weight_of(weights, case)
                sums[n, 0, 0] += weight
                sums[n, 0, 1] += weight * value
                if by_class:
                    group = 1 + int(y[case])
                    sums[n, group, 0] += weight
                    sums[n, group, 1] += weight * value


@kernel
def count_unknown(order, start, stop, values, rows, y, by_class, count):  # type: ignore[no-untyped-def]
    """count[n, g]: how many cases of each node are unknown, of all or of each class."""
    for n in range(start.shape[0]):
        for i in range(start[n], stop[n]):
            case = order[i]
            value = values[row_of(rows, case)]
            if value != value:
                count[n, int(y[case]) if by_class else 0] += 1


@kernel
def branch_histogram(  # type: ignore[no-untyped-def]
    order, start, stop, kind, column, operands, held, cells, rows, weights, y, stats, count
):
    """The statistics and the number of known cases by branch of each node's test.

    `held[n]` of the operands are node n's.
    """
    for n in range(start.shape[0]):
        what, asked, own, end = kind[n], column[n], operands[n], held[n]
        for i in range(start[n], stop[n]):
            case = order[i]
            value = value_asked(cells, row_of(rows, case), asked, what, own, 0, end)
            taken = branch_of(what, own, 0, end, value)
            if taken != NOWHERE:
                add_case(stats[n, taken], y[case], weight_of(weights, case))
                count[n, taken] += 1


@kernel
def values_along(order, start, stop, kind, operands, held, cells, rows, begin, out):  # type: ignore[no-untyped-def]
    """The value that each node's test of several columns asks of its cases, node after node."""
    for n in range(start.shape[0]):
        for i in range(start[n], stop[n]):
            row = row_of(rows, order[i])
            out[begin[n] + i - start[n]] = value_asked(cells, row, 0, kind, operands[n], 0, held[n])
