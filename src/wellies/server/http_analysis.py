"""The routes for analysing a finished game: ask for it, and see how far it is and what was found."""

from __future__ import annotations

from litestar import Router, get, post
from litestar.params import FromPath, FromQuery

from wellies.server.analyses import Analyses
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, errors, known
from wellies.server.http_tables import find_table
from wellies.table.analysis import Analysis


def _analyses(request: AnyRequest) -> Analyses:
    found: Analyses = request.app.state.analyses
    return found


@post(
    "/tables/{table_id:str}/analysis",
    status_code=200,
    operation_id="analyseTable",
    tags=["records"],
    responses=errors(401, 404, 409),
)
async def analyse(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> Analysis:
    """Have the moves of a finished game judged, each from what its player could see: the points that it cost, and what
    was better. Asking again gives what is there already."""
    identity = known(asker)
    live = await find_table(request, table_id, identity, invite)
    return await _analyses(request).begin(live.table, identity.id)


@get("/tables/{table_id:str}/analysis", operation_id="getAnalysis", tags=["records"], responses=errors(404, 409))
async def get_analysis(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> Analysis:
    """How far the analysis of a finished game is, and when it is done, what was found."""
    live = await find_table(request, table_id, asker, invite)
    return await _analyses(request).look(live.table)


def analysis_routes() -> Router:
    return Router("/api/v1", route_handlers=[analyse, get_analysis], dependencies=PROVIDE_ASKER)
