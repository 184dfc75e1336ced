"""Who does the work of a comparison: the options that say so, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from treekit.cli.options import WholeNumber, all_of, some_text

if TYPE_CHECKING:
    from treekit.comparing import Backend

worker_options = all_of(
    click.option(
        "--jobs", type=WholeNumber(min=1), metavar="N",
        help="How many processes work; the results are the same.  [default: one for each"
        " processor, if that is worth it]",
    ),
    click.option(
        "--backend", type=click.Choice(("processes", "dask")), default="processes",
        show_default=True,
        help="Who does the work: processes of this machine, or the workers of a Dask scheduler.",
    ),
    click.option(
        "--scheduler", type=some_text, metavar="ADDRESS",
        help="Of the backend dask: where its scheduler is, as in tcp://host:8786.",
    ),
)  # fmt: skip


def backend_of(name: str, jobs: int | None, scheduler: str | None) -> Backend:
    """Who does the work."""
    from treekit.comparing import Dask, by_jobs

    if name == "dask":
        if scheduler is None:
            raise click.UsageError("--backend dask needs --scheduler ADDRESS")
        if jobs is not None:
            raise click.UsageError("--jobs does not go with --backend dask: its workers are there")
        return Dask(scheduler)
    if scheduler is not None:
        raise click.UsageError("--scheduler goes with --backend dask only")
    return by_jobs(jobs)
