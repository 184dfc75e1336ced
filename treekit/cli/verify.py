"""`treekit verify`: do the figures of a comparison hold?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from treekit.cli.options import WholeNumber, examples, json_option, quiet_option, some_text
from treekit.cli.output import echo_json, working
from treekit.cli.workers import backend_of, worker_options

if TYPE_CHECKING:
    from treekit.comparing import Progress

DOES_NOT_HOLD = 1


@click.command(
    epilog=examples(
        "treekit verify mine.zip",
        "treekit verify mine.zip --data data/ --sample 50",
        "treekit verify mine.zip --jobs 4",
        "treekit verify mine.zip --json",
    )
)
@click.argument("bundle", type=some_text)
@click.option(
    "--data", "sets", multiple=True, type=some_text, metavar="DATA",
    help="A file, a folder or a pattern to find the data in, if they are neither in the bundle nor"
    " where they came from; may be repeated.",
)  # fmt: skip
@click.option(
    "--sample", type=WholeNumber(min=1), metavar="N",
    help="Run N contenders on folds only, drawn from all.  [default: all]",
)  # fmt: skip
@click.option(
    "--seed", type=WholeNumber(min=0), default=0, show_default=True, metavar="S",
    help="Seed of the sample.",
)  # fmt: skip
@worker_options
@json_option
@quiet_option
def verify(
    bundle: str,
    sets: tuple[str, ...],
    sample: int | None,
    seed: int,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Run the comparison in BUNDLE again, and say whether its figures hold.

    BUNDLE is what `treekit compare --bundle FILE` wrote. The exit code is 0 if the figures hold, 1
    if they do not, and 2 if they cannot be checked: the file is damaged, or the data are missing or
    were changed.
    """
    from treekit.comparing import verify as verified
    from treekit.comparing.verdict_wording import as_plain_verdict, lines_of_verdict

    worker = backend_of(backend, jobs, scheduler)
    with working("verifying", quiet) as told:

        def progress(at: Progress) -> None:
            told(at.done, at.of, f"{at.failed} failed" if at.failed else "")

        verdict = verified(bundle, sets, sample, seed, backend=worker, progress=progress)
    if as_json:
        echo_json(as_plain_verdict(verdict))
    else:
        click.echo("\n".join(lines_of_verdict(verdict)))
    return 0 if verdict.holds else DOES_NOT_HOLD
