"""`workbench tokens`: who may access the server, and in which scope."""

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    note,
    only_for,
    open_workbench,
    print_json,
    print_rows,
)

if TYPE_CHECKING:
    from workbench.contract.tokens import TokenRecord
    from workbench.objects import Workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=["list", "make", "revoke"],
        help="default: list",
    )
    parser.add_argument("token_id", nargs="?", metavar="ID", help="of the token to revoke")
    parser.add_argument("--name", help="purpose of a new token")
    parser.add_argument(
        "--scope",
        default="write",
        choices=["read", "write", "admin"],
        help="read only reads, write also changes data, admin also manages the server",
    )
    parser.add_argument("--account", help="whose data it accesses (default: your own)")
    parser.add_argument("--days", type=float, help="days until it expires (default: never)")


def run(arguments: argparse.Namespace) -> int:
    only_for(arguments, "token_id", ("revoke",))
    with open_workbench(arguments) as workbench:
        if arguments.action == "make":
            return _make(workbench, arguments)
        if arguments.action == "revoke":
            return _revoke(workbench, arguments)
        return _list(workbench, arguments.json)


def _list(workbench: "Workbench", as_json: bool) -> int:
    records = workbench.engine.run(lambda client: client.tokens())
    if as_json:
        print_json([record.model_dump() for record in records])
    else:
        print_rows(["name", "scope", "account", "until", "id"], [_row(one) for one in records])
    return 0


def _make(workbench: "Workbench", arguments: argparse.Namespace) -> int:
    from workbench.contract.tokens import NewToken

    if not arguments.name:
        raise CommandFailed("What is it for? workbench tokens make --name 'weekly report'")
    if arguments.days is not None and not arguments.days > 0:
        raise CommandFailed("--days takes a number above 0.")
    wanted = NewToken(
        name=arguments.name,
        scope=arguments.scope,
        account_id=arguments.account,
        days=arguments.days,
    )
    made = workbench.engine.run(lambda client: client.make_token(wanted))
    if arguments.json:
        print_json(made.model_dump())
        return 0
    print(made.token)
    note("It is shown only once. Send it as `Authorization: Bearer …`.")
    return 0


def _revoke(workbench: "Workbench", arguments: argparse.Namespace) -> int:
    if not arguments.token_id:
        raise CommandFailed("Which token? workbench tokens revoke ID")
    token_id: str = arguments.token_id
    record = workbench.engine.run(lambda client: client.revoke_token(token_id))
    if arguments.json:
        print_json({"revoked": record.token_id})
    else:
        print(f"Revoked {record.name!r}. It no longer grants access.")
    return 0


def _row(record: "TokenRecord") -> dict[str, Any]:
    until = record.expires_at and datetime.fromtimestamp(record.expires_at, UTC)
    return {
        "name": record.name,
        "scope": record.scope,
        "account": record.account_id,
        "until": f"{until:%Y-%m-%d %H:%M} UTC" if until else "no expiry",
        "id": record.token_id,
    }
