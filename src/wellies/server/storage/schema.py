"""The tables of the database. `migrations` makes and changes them; a test compares the two."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

META: Final = sa.MetaData()

identities = sa.Table(
    "identities",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("login", sa.String(80), unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # What everybody may know a person by (`table.ids.public_id`).
    sa.Column("public_id", sa.String(20)),
    sa.Index("identities_by_public_id", "public_id", unique=True),
)
ended_sessions = sa.Table(
    "ended_sessions",
    META,
    sa.Column("session", sa.String(32), primary_key=True),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("ended_by_identity", "identity_id"),
)
kept_secrets = sa.Table(
    "kept_secrets",
    META,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
tables = sa.Table(
    "tables",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("invite", sa.String(64), nullable=False),
    sa.Column("host", sa.String(32), nullable=False),
    sa.Column("imported", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # What follows can be worked out from the log; it is kept for lists and searches.
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("private", sa.Boolean, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("waiting", sa.String(60), nullable=False),
    sa.Column("wake_at", sa.BigInteger),
    sa.Index("tables_by_state", "state", "created"),
    sa.Index("tables_by_wake", "wake_at"),
)
entries = sa.Table(
    "entries",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
held = sa.Table(
    "held_seats",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Index("held_by_table", "table_id"),
    sqlite_with_rowid=False,
)
chat = sa.Table(
    "chat",
    META,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.String(1000), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("chat_by_table", "table_id", "id"),
)
analyses = sa.Table(
    "analyses",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("worker", sa.String(32), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # What was found, when it is done.
    sa.Column("found", sa.Text, nullable=False),
)

# --- finished games and ratings ---------------------------------------------------------------------------------------

finished_games = sa.Table(
    "finished_games",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("started", sa.BigInteger, nullable=False),
    sa.Column("finished", sa.BigInteger, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # Why it does not count for the ratings; empty if it does.
    sa.Column("not_counted", sa.String(12), nullable=False),
)
finished_seats = sa.Table(
    "finished_seats",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    # Empty for bots; for people who have deleted their account it says nothing about them.
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("bot", sa.String(40), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    # The name as it is searched for.
    sa.Column("folded", sa.String(80), nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("result", sa.String(8), nullable=False),
    # Whether it is the first seat of its person at the table.
    sa.Column("first", sa.Boolean, nullable=False),
    # The points by the rule that gave them, as JSON.
    sa.Column("lines", sa.Text, nullable=False),
    # From the analysis, once there is one: how many points were lost in so many decisions.
    sa.Column("lost", sa.Float),
    sa.Column("judged", sa.Integer),
    # As in `finished_games`, so that a history is read from one index.
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("finished", sa.BigInteger, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Index("seats_by_person", "identity_id", "first", "finished", "table_id"),
    # Statistics read the index alone, but for `lines`.
    sa.Index(
        "seats_by_person_and_game",
        *("identity_id", "game", "first", "finished", "table_id", "result", "score", "rank", "lost", "judged"),
    ),
    sqlite_with_rowid=False,
)
deletions = sa.Table(
    "deletions",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    # What stands in the place of the id, where others' ratings still need it.
    sa.Column("gone", sa.String(32), nullable=False),
    # The tables that are still to be done, separated by spaces.
    sa.Column("tables", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
ratings = sa.Table(
    "ratings",
    META,
    sa.Column("game", sa.String(40), primary_key=True),
    # The id of a person, or "bot:" and a level.
    sa.Column("player", sa.String(60), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    # Both follow from `mu` and `sigma`; leaderboards are read by them.
    sa.Column("shown", sa.Integer, nullable=False),
    sa.Column("provisional", sa.Boolean, nullable=False),
    sa.Index("ratings_by_rank", "game", "provisional", sa.desc("shown"), "player"),
    sa.Index("ratings_by_player", "player"),
    sqlite_with_rowid=False,
)
rating_changes = sa.Table(
    "rating_changes",
    META,
    # Rated games are numbered in the order in which they were counted.
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("player", sa.String(60), nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("mu_before", sa.Float, nullable=False),
    sa.Column("sigma_before", sa.Float, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Index("rating_changes_by_table", "table_id"),
    sa.Index("rating_changes_by_player", "player", "game", "number"),
    sqlite_with_rowid=False,
)
# --- finding a game, friends, invitations ------------------------------------------------------------------------

game_requests = sa.Table(
    "game_requests",
    META,
    # Whoever looks for a game looks for one at a time.
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("id", sa.String(32), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("pace", sa.String(20), nullable=False),
    # The numbers of players that suit, such as 2,3.
    sa.Column("seats", sa.String(40), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    # Set when others were found: the table that was chosen for them, and who sits there, in order.
    sa.Column("table_id", sa.String(32)),
    sa.Column("people", sa.Text, nullable=False),
    sa.Index("requests_by_game", "game", "pace", "created"),
    sa.Index("requests_by_table", "table_id"),
)
friendships = sa.Table(
    "friendships",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("friend_id", sa.String(32), primary_key=True),
    # How the friend is named to this person: ids of people are secret.
    sa.Column("handle", sa.String(32), nullable=False),
    # friend, asked (this person has asked) or asks (the other one has).
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
friend_codes = sa.Table(
    "friend_codes",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("code", sa.String(40), nullable=False, unique=True),
)
invitations = sa.Table(
    "invitations",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("from_id", sa.String(32), nullable=False),
    sa.Column("from_name", sa.String(40), nullable=False),
    # Whether it is for another game with the people of a finished one.
    sa.Column("again", sa.Boolean, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("invitations_by_table", "table_id"),
    sqlite_with_rowid=False,
)
last_seen = sa.Table(
    "last_seen",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

# --- alerts and vacations ------------------------------------------------------------------------------------------

alert_settings = sa.Table(
    "alert_settings",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    # Names this person in links that stop alerts or confirm an address, instead of the id.
    sa.Column("code", sa.String(40), nullable=False, unique=True),
    # Which alerts go where, quiet hours and time zone, as JSON.
    sa.Column("choices", sa.Text, nullable=False),
    sa.Column("email", sa.String(254), nullable=False),
    sa.Column("confirmed", sa.Boolean, nullable=False),
    sa.Column("webhook", sa.String(500), nullable=False),
    # Whether anything is to be sent at all: those for whom nothing is are not looked at.
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Index("alerts_by_active", "active"),
)
push_subscriptions = sa.Table(
    "push_subscriptions",
    META,
    # The hash of the endpoint.
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("p256dh", sa.String(120), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("push_by_identity", "identity_id"),
)
sent_alerts = sa.Table(
    "sent_alerts",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    # What it was about: the decision, or that somebody was invited or found.
    sa.Column("about", sa.String(80), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("sent_by_time", "at"),
    sqlite_with_rowid=False,
)
vacations = sa.Table(
    "vacations",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("begins", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
    # Whether nothing is left to do: it has ended, and all tables know.
    sa.Column("settled", sa.Boolean, nullable=False),
    sa.Index("vacations_by_identity", "identity_id", "begins"),
    sa.Index("vacations_by_settled", "settled"),
)
# --- what a person likes, and whom they avoid ---------------------------------------------------------------------

preferences = sa.Table(
    "preferences",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), primary_key=True),
    # JSON.
    sa.Column("value", sa.String(100), nullable=False),
    # When the person changed it: of two changes the later one counts.
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
avoided_people = sa.Table(
    "avoided_people",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("other_id", sa.String(32), primary_key=True),
    # "mute" or "block".
    sa.Column("kind", sa.String(8), nullable=False),
    # What they were called at the table where this was chosen.
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("avoided_by_other", "other_id"),
    sqlite_with_rowid=False,
)
