"""The routes for what belongs to one person: preferences, and whom they mute or block."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, Router, delete, get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from wellies.server.avoided import Kind, avoid, stop_avoiding
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, errors, known
from wellies.server.http_tables import find_table, hub_of
from wellies.server.preferences import Value, check_preference, read_stored
from wellies.table.ids import public_id

MOST_AT_ONCE = 50
LONGEST_AGE = 400 * 86_400_000

PreferenceName = Annotated[str, Meta(max_length=40)]
PublicId = Annotated[str, Meta(max_length=40, description="How others know a person.")]


class PreferenceInfo(msgspec.Struct):
    """What a person has chosen, and when."""

    value: Value
    at: int


class PreferencesInfo(msgspec.Struct):
    """What a person has chosen, by name. What they never changed is not in it."""

    preferences: dict[str, PreferenceInfo]


class PreferenceChange(msgspec.Struct, forbid_unknown_fields=True):
    """`age`: how many milliseconds ago the person changed it, so that no clock but the server's counts."""

    value: Annotated[str, Meta(max_length=40)] | bool | int
    age: Annotated[int, Meta(ge=0, le=LONGEST_AGE)] = 0


class PreferencesBody(msgspec.Struct, forbid_unknown_fields=True):
    preferences: Annotated[dict[PreferenceName, PreferenceChange], Meta(max_length=MOST_AT_ONCE)]


class AvoidedInfo(msgspec.Struct):
    """Somebody whom one mutes or blocks: `person` is their public id, `name` what they were called then."""

    person: str
    name: str
    kind: Kind
    at: int


class AvoidedList(msgspec.Struct):
    people: list[AvoidedInfo]


class AvoidBody(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody who sits at a table, or has said something there."""

    table: Annotated[str, Meta(max_length=40)]
    person: PublicId
    kind: Kind
    invite: Annotated[str, Meta(max_length=100)] | None = None


@get("/me/preferences", operation_id="getPreferences", tags=["personal"], responses=errors(401))
async def get_preferences(request: AnyRequest, asker: Asker) -> Response[PreferencesInfo]:
    """What I have chosen."""
    return await _preferences(request, known(asker).id)


@put("/me/preferences", operation_id="setPreferences", tags=["personal"], responses=errors(401))
async def set_preferences(
    request: AnyRequest, data: JSONBody[PreferencesBody], asker: Asker
) -> Response[PreferencesInfo]:
    """Change some preferences. Of two changes of one preference the later one counts; the answer says what counts."""
    identity = known(asker)
    now = hub_of(request).clock.now()
    rows = [
        {"name": name, "value": check_preference(name, change.value), "at": now - change.age}
        for name, change in sorted(data.preferences.items())
    ]
    await hub_of(request).storage.set_preferences(identity.id, rows)
    return await _preferences(request, identity.id)


async def _preferences(request: AnyRequest, identity_id: str) -> Response[PreferencesInfo]:
    found = {}
    for row in await hub_of(request).storage.preferences(identity_id):
        value = read_stored(row["name"], row["value"])
        if value is not None:
            found[row["name"]] = PreferenceInfo(value, row["at"])
    return Response(PreferencesInfo(found), headers={"cache-control": "no-store"})


@get("/me/avoided", operation_id="listAvoided", tags=["personal"], responses=errors(401))
async def list_avoided(request: AnyRequest, asker: Asker) -> Response[AvoidedList]:
    """Whom I mute or block."""
    return await _avoided(request, known(asker).id)


@post("/me/avoided", status_code=200, operation_id="avoid", tags=["personal"], responses=errors(401, 404, 409))
async def avoid_person(request: AnyRequest, data: JSONBody[AvoidBody], asker: Asker) -> Response[AvoidedList]:
    """Mute or block somebody at a table. They are not told."""
    identity = known(asker)
    live = await find_table(request, data.table, identity, data.invite)
    hub = hub_of(request)
    await avoid(hub.storage, live.table, identity.id, data.person, data.kind, hub.clock.now())
    return await _avoided(request, identity.id)


@delete(
    "/me/avoided/{person:str}",
    status_code=200,
    operation_id="stopAvoiding",
    tags=["personal"],
    responses=errors(401, 404),
)
async def stop_avoiding_person(request: AnyRequest, person: FromPath[str], asker: Asker) -> Response[AvoidedList]:
    """Neither mute nor block this person any more."""
    identity = known(asker)
    await stop_avoiding(hub_of(request).storage, identity.id, person)
    return await _avoided(request, identity.id)


async def _avoided(request: AnyRequest, identity_id: str) -> Response[AvoidedList]:
    rows = await hub_of(request).storage.avoided(identity_id)
    people = [AvoidedInfo(public_id(row["other_id"]) or "", row["name"], row["kind"], row["at"]) for row in rows]
    return Response(AvoidedList(people), headers={"cache-control": "no-store"})


def personal_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            get_preferences,
            set_preferences,
            list_avoided,
            avoid_person,
            stop_avoiding_person,
        ],
        dependencies=PROVIDE_ASKER,
    )
