"""Puts a verdict of Preflight before each order of py-clob-client-v2.

    client = guard(ClobClient(host, chain_id, key=key, creds=creds), per_day_usd=200)

An entry is sent as the service planned it, a VETO is refused, and what entries may cost in 24 hours
is held to a cap on disk. Exits and cancels always pass. The rules are those of the guard of the
TypeScript clients (docs/guard.md), by the same names. Written for Python 3.9 or newer and `requests`; run on 3.11.

    python3 preflight_guard.py freeze --reason "the book looks wrong"
    python3 preflight_guard.py unfreeze
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import os
import queue
import re
import secrets
import sqlite3
import stat
import sys
import threading
import time
import types
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from math import gcd, isfinite
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase

__all__ = [
    "ORDER_RULES",
    "GuardedOrder",
    "OrderOutcomeUnknown",
    "OrderRefused",
    "Preflight",
    "freeze",
    "guard",
    "unfreeze",
]

#: The rules by which an order is refused. Stable: programs match on these names.
ORDER_RULES = (
    "veto",
    "caution",
    "stale",
    "unavailable",
    "example",
    "no_plan",
    "beyond_price",
    "plan_mismatch",
    "over_balance",
    "signed_otherwise",
    "exchange_mismatch",
    "daily_cap",
    "frozen",
    "ledger_unavailable",
    # Of the TypeScript guard alone: sessions of a client that this guard is not for.
    "unguarded",
)

#: Longest that an order waits for its verdicts, in seconds.
VERDICT_WAIT_S = 1.5
#: Longest that a claim waits for other processes, in seconds.
LOCK_WAIT_S = 5
ANSWER_BYTES_MAX = 4 << 20
SHOWN_CHARS_MAX = 200
REASON_CHARS_MAX = 200
SECRET_BYTES_MAX = 4096
DAY_MS = 86_400_000
#: Claims older than this are deleted: longer than any process sleeps in the middle of one.
KEPT_MS = 7 * DAY_MS
LOG_FILE_BYTES_MAX = 4 << 20
LOG_FILES_MAX = 64
#: Exact amounts that the client may sign in place of those of a plan, each a step smaller.
SMALLER_BUYS_MAX = 3
SMALLER_SELLS_MAX = 8
WALKS_MAX = 16
#: A verdict on a SELL is on so much of what it brings at least, or another one is asked for.
SOLD_PERCENT_MIN = 99
#: Clients round amounts to 1e-4 USD at the coarsest.
ROUNDING_MICROS = 100
MICROS = 1_000_000
#: A hundredth of a share, and a cent.
HUNDREDTH = 10_000
#: Prices are in 1e-4 USD.
TICKS = 10_000
TICK_SIZES = frozenset((1000, 100, 50, 25, 10, 1))
#: The worst taker rate that the venue publishes: a fee per share is rate x price x (1 - price).
FEE_RATE_WORST = Decimal("0.07")

_log = logging.getLogger("preflight_guard")


# ---------------------------------------------------------------------------------------------
# What a caller has to expect


@dataclass(frozen=True)
class GuardedOrder:
    """An order as its owner wrote it."""

    method: str
    token_id: str
    side: str
    #: USD of a BUY; None if it names shares alone.
    usd: Optional[float]
    #: Shares of a SELL and of a limit order; None of a market BUY.
    shares: Optional[float]
    #: Worst price that its owner takes; None: whatever the book has.
    price: Optional[float]
    #: FOK and FAK take what is there; GTC and GTD may rest.
    order_type: str
    #: Signed by its owner already: sent as it is or not at all.
    is_signed: bool

    @property
    def is_taking(self) -> bool:
        return self.order_type in ("FOK", "FAK")


class OrderRefused(Exception):
    """The guard refused an order. Nothing was sent."""

    def __init__(self, rule: str, why: str, verdict: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(f"refused by {rule}: {_shown(why)}. Nothing was sent")
        self.rule = rule
        #: What was found, in one sentence.
        self.why = why
        #: None: the order was refused before a verdict came, or without one.
        self.verdict = verdict
        #: Of the verdict; empty without one.
        self.reason_codes = tuple((verdict or {}).get("reason_codes", ()))


class OrderOutcomeUnknown(Exception):
    """An order was posted and what became of it is not known: it may have been matched.

    Look at the account's orders before anything is sent in its place; its claim on the cap stays.
    """

    def __init__(self, guard_id: str, found: str) -> None:
        super().__init__(
            f"the order was posted and its outcome is not known ({_shown(found)}). "
            "It may have been matched: look before you send another"
        )
        #: Of the line in the guard's log.
        self.guard_id = guard_id


# ---------------------------------------------------------------------------------------------
# The service


class Unavailable(Exception):
    """The service gave no verdict."""


class _Bearer(AuthBase):
    """Sends the token, also where a .netrc has another one for the host."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: Any) -> Any:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Preflight:
    """The service over REST, paid from prepaid credits.

    `base_url`: its address, else PREFLIGHT_URL. `token`: of the credits, else PREFLIGHT_TOKEN or the
    file that PREFLIGHT_TOKEN_FILE names. It does not pay by x402: a service that has only that lane
    open answers 402, which refuses entries. Raises ValueError if an address or a token is none.
    """

    def __init__(self, base_url: Optional[str] = None, token: Optional[str] = None) -> None:
        self._url = _checked_url(base_url or os.environ.get("PREFLIGHT_URL", ""))
        self._auth = _Bearer(_checked_token(token if token is not None else _token_of_environment()))

    def verdict(self, order: Mapping[str, Any], timeout_s: float) -> tuple[Mapping[str, Any], bool]:
        """Returns the answer about an order, and whether it is an old one; asks once.

        Raises Unavailable, or an error of requests.
        """
        end = time.monotonic() + timeout_s
        with requests.post(
            f"{self._url}/api/preflight_trade",
            json=dict(order),
            headers={"Accept": "application/json"},
            auth=self._auth,
            timeout=timeout_s,
            allow_redirects=False,
            stream=True,
        ) as answer:
            body = _object_in(_read_bounded(answer, end))
            if answer.status_code != 200 or body is None:
                raise Unavailable(f"the service answered {answer.status_code}: {_shown((body or {}).get('error', ''))}")
            replayed = answer.headers.get("Idempotent-Replayed") == "true"
        valid_until = (body.get("meta") or {}).get("valid_until")
        return body, replayed or (valid_until is not None and _now_ms() > _moment_ms(valid_until))


def _read_bounded(answer: Any, end: float) -> bytes:
    read = bytearray()
    for chunk in answer.iter_content(1 << 16):
        read += chunk
        if len(read) > ANSWER_BYTES_MAX:
            raise Unavailable("the answer is too long to be read")
        if time.monotonic() > end:
            raise Unavailable("no verdict came in time")
    return bytes(read)


def _checked_url(text: str) -> str:
    url = urlsplit(text)
    is_loopback = re.fullmatch(r"localhost|127(\.\d{1,3}){3}|::1", url.hostname or "") is not None
    if url.scheme == "https" and url.hostname or url.scheme == "http" and is_loopback:
        return text.rstrip("/")
    raise ValueError("the address of the service is https, or http to this machine: base_url or PREFLIGHT_URL")


def _checked_token(text: str) -> str:
    if re.fullmatch(r"tk_0x[0-9a-fA-F]{40}_[\x21-\x7e]{1,200}", text):
        return text
    raise ValueError("give a token of credits (tk_<wallet>_<secret>): token, PREFLIGHT_TOKEN or PREFLIGHT_TOKEN_FILE")


def _token_of_environment() -> str:
    token, file = os.environ.get("PREFLIGHT_TOKEN", ""), os.environ.get("PREFLIGHT_TOKEN_FILE", "")
    if token and file:
        raise ValueError("PREFLIGHT_TOKEN_FILE and PREFLIGHT_TOKEN are both set: unset one of them")
    if not file:
        return token.strip()
    with open(file, encoding="utf8") as opened:
        if os.name != "nt" and os.fstat(opened.fileno()).st_mode & 0o077:
            raise ValueError(f"{file} is open to other users of this machine: chmod 600 {file}, and nothing was read")
        return opened.read(SECRET_BYTES_MAX).strip()


# ---------------------------------------------------------------------------------------------
# State on disk, in the folder that all clients of a user share


def _state_home() -> Path:
    env = os.environ
    if env.get("PREFLIGHT_HOME"):
        return Path(env["PREFLIGHT_HOME"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "preflight"
    if os.name == "nt":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "preflight"
    return Path(env.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "preflight"


def _make_private_folder(path: Path) -> None:
    """Makes a folder and those above it; raises if other users of the machine can reach into it."""
    if not path.is_dir():
        if path.parent != path:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        _sync_folder(path.parent)
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise OSError(f"{path} is open to other users of this machine: chmod 700 {path}")


def _sync_folder(path: Path) -> None:
    """Names are on disk when their folder is."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def freeze(reason: str = "", home: Union[str, Path, None] = None) -> None:
    """Stops the entries of all guarded clients of this user, in every process and either language."""
    orders = _orders_folder(home)
    draft = orders / f"frozen.json.{secrets.token_hex(8)}.draft"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, json.dumps({"at_ms": _now_ms(), "reason": reason[:REASON_CHARS_MAX]}).encode())
        os.fsync(file)
    finally:
        os.close(file)
    os.replace(draft, orders / "frozen.json")
    _sync_folder(orders)


def unfreeze(home: Union[str, Path, None] = None) -> None:
    """Lets entries pass again."""
    orders = _orders_folder(home)
    (orders / "frozen.json").unlink(missing_ok=True)
    _sync_folder(orders)


def _orders_folder(home: Union[str, Path, None]) -> Path:
    root = Path(home) if home is not None else _state_home()
    _make_private_folder(root)
    _make_private_folder(root / "orders")
    return root / "orders"


def _frozen_since(home: Path) -> Optional[str]:
    """Returns since when entries are frozen, and why; None if they are not."""
    try:
        found = _object_in((home / "orders" / "frozen.json").read_bytes()) or {}
    except (FileNotFoundError, NotADirectoryError):
        # Where the folder cannot be, nothing can be claimed either.
        return None
    except OSError as error:
        return f"the freeze cannot be read ({error.strerror})"
    at_ms, reason = found.get("at_ms"), found.get("reason")
    try:
        since = _moment(at_ms if isinstance(at_ms, int) else 0)
    except (ValueError, OverflowError, OSError):
        # A freeze is in force also where its moment is none.
        since = _moment(0)
    return f"since {since}: {_shown(reason)}" if isinstance(reason, str) and reason else f"since {since}"


class _Claims:
    """What entries claim of the cap before they are posted: rows that are on disk when a call returns.

    One process at a time writes (BEGIN IMMEDIATE), so that the sum of 24 hours stays within the cap
    whatever dies, and when. A clock that is set back frees nothing.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._path = folder / f"{name}.sqlite"

    def claim(self, order_id: str, micros: int, cap_micros: int) -> Optional[int]:
        """Claims so many micro-USD. Returns None, or what is claimed already if that leaves too little."""
        with closing(self._open()) as db:
            now_ms = _now_ms()
            db.execute("BEGIN IMMEDIATE")
            (claimed,) = db.execute(
                "SELECT COALESCE(SUM(micros), 0) FROM claims WHERE at_ms > ?", (now_ms - DAY_MS,)
            ).fetchone()
            if claimed + micros > cap_micros:
                db.execute("ROLLBACK")
                return claimed
            db.execute("DELETE FROM claims WHERE at_ms <= ?", (now_ms - KEPT_MS,))
            db.execute("INSERT INTO claims (id, at_ms, micros) VALUES (?, ?, ?)", (order_id, now_ms, micros))
            db.execute("COMMIT")
        return None

    def give_back(self, order_id: str) -> None:
        """Lets a claim count no more: of what is known not to have been sent, or refused."""
        with closing(self._open()) as db:
            db.execute("UPDATE claims SET micros = 0 WHERE id = ?", (order_id,))

    def _open(self) -> sqlite3.Connection:
        _make_private_folder(self._folder)
        # Opened by SQLite alone: to close the file beside it drops the locks that other threads hold on it.
        db = sqlite3.connect(self._path, timeout=LOCK_WAIT_S, isolation_level=None)
        # A commit is on disk with the folder that its journal was deleted from.
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute(
            "CREATE TABLE IF NOT EXISTS claims (id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, micros INTEGER NOT NULL)"
        )
        os.chmod(self._path, 0o600)
        return db


class _GuardLog:
    """The guard's log: a JSON line each, of the form of the TypeScript guard. No secret is in one."""

    _NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,6})\.jsonl")

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, line: Mapping[str, Any]) -> None:
        """Appends a line, which is on disk when this returns. Raises if it cannot be."""
        _make_private_folder(self._folder)
        at_ms = _now_ms()
        path = self._folder / self._file_for(_moment(at_ms)[:10])
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.lseek(file, 0, os.SEEK_END)
            os.lseek(file, max(0, size - 1), os.SEEK_SET)
            # What comes after a line that was left torn begins on a new line.
            start = "" if os.read(file, 1) in (b"", b"\n") else "\n"
            text = f"{start}{json.dumps({'v': 1, 'at_ms': at_ms, **line}, separators=(',', ':'))}\n".encode()
            # One write, so that lines of several processes do not mix.
            if os.write(file, text) < len(text):
                raise OSError(f"{path} has no room for a line")
            os.fsync(file)
        finally:
            os.close(file)

    def _file_for(self, day: str) -> str:
        found = [match for match in map(self._NAME.fullmatch, os.listdir(self._folder)) if match]
        found.sort(key=lambda match: (match[1], int(match[2])))
        of_day = [match for match in found if match[1] == day]
        if of_day and (self._folder / of_day[-1][0]).stat().st_size < LOG_FILE_BYTES_MAX:
            return of_day[-1][0]
        for match in found[: max(0, len(found) + 1 - LOG_FILES_MAX)]:
            # Another process may have been faster.
            (self._folder / match[0]).unlink(missing_ok=True)
        return f"{day}.{int(of_day[-1][2]) + 1 if of_day else 0}.jsonl"


# ---------------------------------------------------------------------------------------------
# Plans


@dataclass(frozen=True)
class _Amounts:
    """What the client is to sign, in 1e-6 USD and shares, and how its own function is asked for it."""

    maker: int
    taker: int
    price: float
    tick_size: str

    @property
    def amount(self) -> float:
        """USD of a BUY, shares of a SELL."""
        return self.maker / MICROS


@dataclass(frozen=True)
class _Plan:
    #: The wanted one first.
    amounts: Sequence[_Amounts]
    neg_risk: Optional[bool]
    #: The most that leaves the wallet, in micro-USD; of a SELL what it is to earn.
    usd_micros: int
    valid_until_ms: int


def _buy_plan(body: Mapping[str, Any]) -> Optional[_Plan]:
    """Returns the plan of a BUY as the service made it; None if there is none."""
    plan = body.get("plan")
    if not isinstance(plan, dict) or plan.get("side") != "BUY":
        return None
    wanted = _Amounts(
        int(plan["maker_amount"]), int(plan["taker_amount"]), float(plan["for_client"]["price"]), str(plan["tick_size"])
    )
    if plan.get("form") == "exact":
        others = _smaller_buys(wanted)
    else:
        others = _exact_alternative(plan.get("exact_alternative"), wanted.tick_size)
    return _Plan(
        [wanted, *others],
        plan.get("neg_risk"),
        _micros(plan.get("usd_needed_max") or wanted.amount, ROUND_CEILING),
        _moment_ms(plan["valid_until"]),
    )


def _exact_alternative(exact: Any, tick_size: str) -> list[_Amounts]:
    if not isinstance(exact, dict):
        return []
    maker, taker = int(exact["maker_amount"]), int(exact["taker_amount"])
    if maker * TICKS % taker != 0:
        return []
    return [_Amounts(maker, taker, maker * TICKS // taker / TICKS, tick_size)]


def _smaller_buys(exact: _Amounts) -> list[_Amounts]:
    """A step less at the same price is as exact, and no fill of it is worse."""
    cents = exact.maker // HUNDREDTH
    # What divides both in units that are legal for the amounts: cents and 1e-4 shares.
    parts = gcd(cents, exact.taker // 100)
    found = []
    for step in range(1, min(SMALLER_BUYS_MAX + 1, parts)):
        maker = (cents - cents // parts * step) * HUNDREDTH
        if maker >= MICROS:
            found.append(replace(exact, maker=maker, taker=exact.taker - exact.taker // parts * step))
    return found


def _sell_plan(body: Mapping[str, Any], shares_micros: int) -> Optional[_Plan]:
    """Returns the plan of a SELL of so many shares on the book of the evidence.

    The service plans by USD, and a position is closed by its shares: at most 2 decimals, in steps of
    which USD is exactly price times shares, with at most 4.
    """
    evidence = body.get("evidence")
    if not isinstance(evidence, dict):
        return None
    book = evidence["payload"]["book"]
    tick = _ticks(book["hash_fields"]["tick_size"])
    bids = sorted(((_ticks(price), _micros(size)) for price, size in book["bids"]), reverse=True)
    if tick not in TICK_SIZES or shares_micros <= 0:
        return None
    worst = _worst_bid(bids, shares_micros)
    if worst is None or any(price % tick != 0 for price, _ in bids if price >= worst):
        return None
    hundredths = shares_micros // HUNDREDTH
    for _ in range(WALKS_MAX):
        hundredths -= hundredths % (100 // gcd(100, worst))
        if hundredths == 0:
            return None
        # Giving less may end the walk at a better level, whose steps are others.
        ended = _worst_bid(bids, hundredths * HUNDREDTH)
        if ended is None or ended == worst:
            break
        worst = ended
    hundredths -= hundredths % (100 // gcd(100, worst))
    if hundredths == 0:
        return None
    amounts = _sells_at(hundredths, worst, tick)
    neg_risk = (body.get("plan") or {}).get("neg_risk", book["hash_fields"].get("neg_risk"))
    return _Plan(amounts, neg_risk, amounts[0].taker, _moment_ms(body["meta"]["valid_until"]))


def _proceeds(body: Mapping[str, Any], shares_micros: int, leaves_rest: bool) -> Optional[int]:
    """Returns what so many shares bring on the bids of the evidence, in micro-USD.

    Where there are not as many: what there is, if the rest is left; else None.
    """
    bids = ((_ticks(price), _micros(size)) for price, size in body["evidence"]["payload"]["book"]["bids"])
    left, total = shares_micros, 0
    for price, size in sorted(bids, reverse=True):
        sold = min(left, size)
        total += sold * price
        left -= sold
        if left == 0:
            break
    return total // TICKS if left == 0 or leaves_rest else None


def _own_sells(body: Mapping[str, Any], shares: float, price: float) -> Sequence[_Amounts]:
    """Returns the amounts of a SELL at its owner's own price, in which the venue takes it.

    Whatever its book holds: the client rounds some to what the venue refuses. Empty where the price
    step is not known.
    """
    try:
        tick = _ticks(body["evidence"]["payload"]["book"]["hash_fields"]["tick_size"])
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return []
    # Not below the price, but for what floats add to it.
    steps = Decimal(str(price)) * TICKS / tick - Decimal("0.000001")
    at = int(steps.to_integral_value(ROUND_CEILING)) * tick
    if tick not in TICK_SIZES or not 0 < at < TICKS:
        return []
    hundredths = _micros(shares) // HUNDREDTH
    return _sells_at(hundredths - hundredths % (100 // gcd(100, at)), at, tick)


def _sells_at(hundredths: int, at: int, tick: int) -> list[_Amounts]:
    """The wanted amounts and smaller ones, at one price: shares in steps of which USD has 4 decimals."""
    step = 100 // gcd(100, at)
    sizes = (hundredths - step * less for less in range(SMALLER_SELLS_MAX + 1))
    return [_Amounts(size * HUNDREDTH, size * at, at / TICKS, _decimal_text(tick)) for size in sizes if size > 0]


def _worst_bid(bids: Sequence[tuple[int, int]], shares_micros: int) -> Optional[int]:
    """Returns the price of the last bid that so many shares take; None if there are not as many."""
    for price, size in bids:
        shares_micros -= size
        if shares_micros <= 0:
            return price
    return None


# ---------------------------------------------------------------------------------------------
# Decisions


@dataclass(frozen=True)
class _Decision:
    """What is to be done with an order: planned, resized, as_written, or refused by `refusal`."""

    kind: str
    verdict: Optional[Mapping[str, Any]] = None
    plan: Optional[_Plan] = None
    #: Of an order with a plan too: what stops an entry, and does not stop an exit.
    refusal: Optional[OrderRefused] = None
    #: The most that an order that is sent as written may cost, if a plan says so, in micro-USD.
    cost_micros: Optional[int] = None
    valid_until_ms: Optional[int] = None


def _refuse(rule: str, why: str, verdict: Optional[Mapping[str, Any]] = None) -> _Decision:
    return _Decision("refused", verdict, refusal=OrderRefused(rule, why, verdict))


def _against(decision: _Decision, refusal: OrderRefused) -> _Decision:
    """A plan, if there is one, is kept for an exit."""
    if decision.kind == "planned":
        return replace(decision, refusal=refusal)
    return _Decision("refused", refusal.verdict, refusal=refusal)


class _Asker:
    """Asks about one order and decides by the verdict and its plan. Never raises."""

    def __init__(self, options: "_Options", call: "_Call") -> None:
        self._options = options
        self._call = call
        self._order = call.order
        self._end = time.monotonic() + options.timeout_s

    def decide(self) -> _Decision:
        if not self._order.is_taking:
            return _Decision("as_written")
        try:
            return self._decide()
        except Exception as error:  # An answer of another form is no verdict.
            return _refuse("unavailable", f"the answer cannot be read ({type(error).__name__}: {error})")

    def _decide(self) -> _Decision:
        usd_micros = self._usd_micros()
        if usd_micros is None:
            return _refuse("unavailable", "no price of the order is known")
        body = self._ask(usd_micros)
        if isinstance(body, OrderRefused):
            return _Decision("refused", body.verdict, refusal=body)
        whole_micros = self._whole_micros(usd_micros, body)
        if whole_micros != usd_micros and body["verdict"] != "VETO":
            whole = self._ask(whole_micros)
            if isinstance(whole, OrderRefused):
                return _against(self._judge(usd_micros, body), OrderRefused(whole.rule, whole.why, body))
            usd_micros, body = whole_micros, whole
        first = self._judge(usd_micros, body)
        verdict = body["verdict"]
        if verdict == "OK":
            return self._signed_or(first)
        if verdict != "CAUTION":
            return _against(first, OrderRefused("veto", _why(body), body))
        refusal = OrderRefused("caution", _why(body), body)
        choice = self._options.caution
        if callable(choice):
            return self._signed_or(first) if _is_taken(choice, body) else _against(first, refusal)
        safe = _micros(body["numbers"]["safe_size_usd"]) // HUNDREDTH * HUNDREDTH
        if choice == "refuse" or self._order.is_signed or self._order.side == "SELL" or safe < MICROS:
            return _against(first, refusal)
        return self._resized(min(safe, usd_micros), first, refusal)

    def _resized(self, usd_micros: int, first: _Decision, refusal: OrderRefused) -> _Decision:
        body = self._ask(usd_micros)
        if isinstance(body, OrderRefused):
            return _against(first, body)
        if body["verdict"] != "OK":
            return _against(first, OrderRefused("caution", refusal.why, body))
        decision = self._judge(usd_micros, body)
        return replace(decision, kind="resized") if decision.kind == "planned" else decision

    def _judge(self, usd_micros: int, body: Mapping[str, Any]) -> _Decision:
        """What an order is by its plan, whatever its verdict."""
        order = self._order
        is_buy = order.side == "BUY"
        shares_micros = 0 if order.shares is None else _micros(order.shares)
        try:
            plan = _buy_plan(body) if is_buy else _sell_plan(body, shares_micros)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            plan = None
        if plan is None:
            return _refuse("no_plan", body.get("plan_reason") or "the answer has no plan that can be read", body)
        wanted = plan.amounts[0]
        named = (body.get("plan") or {}).get("token_id", order.token_id)
        if wanted.maker > (usd_micros if is_buy else shares_micros) or named != order.token_id:
            return _refuse("plan_mismatch", "the plan is not of this order", body)
        if order.price is not None and _is_worse(order.side, wanted.price, order.price):
            why = f"the book fills it at {wanted.price} at worst, its owner takes {order.price}"
            return _refuse("beyond_price", why, body)
        balance = self._call.balance_usd
        if balance is not None and plan.usd_micros > _micros(balance):
            why = f"it may cost {plan.usd_micros / MICROS} USD with its fee, and {balance} are there"
            return _refuse("over_balance", why, body)
        return _Decision("planned", body, plan, valid_until_ms=plan.valid_until_ms)

    def _signed_or(self, decision: _Decision) -> _Decision:
        """What is signed already is sent as it is."""
        if not self._order.is_signed or decision.kind != "planned" or decision.plan is None:
            return decision
        cost = decision.plan.usd_micros
        planned = decision.plan.amounts[0].maker
        signed = _micros(self._order.usd or 0) if self._order.side == "BUY" else planned
        if signed > planned:
            # A plan in exact amounts may be less than what is signed.
            cost = -(-cost * signed // planned)
        return replace(decision, kind="as_written", plan=None, cost_micros=cost)

    def _whole_micros(self, usd_micros: int, body: Mapping[str, Any]) -> int:
        """Returns what a verdict has to be on.

        A SELL is asked for at the price that its owner takes, and all its shares may bring more on the
        book that the answer holds.
        """
        if self._order.side == "BUY":
            return usd_micros
        try:
            proceeds = _proceeds(body, _micros(self._order.shares or 0), self._order.order_type == "FAK")
        except (ArithmeticError, LookupError, TypeError, ValueError):
            proceeds = None
        return usd_micros if proceeds is None or usd_micros * 100 >= proceeds * SOLD_PERCENT_MIN else proceeds

    def _ask(self, usd_micros: int) -> Union[Mapping[str, Any], OrderRefused]:
        order = self._order
        question = {**self._options.limits, "token_id": order.token_id, "side": order.side, "plan": 1}
        question["usd"] = usd_micros / MICROS
        if order.side == "SELL":
            # The book, by which a SELL is planned in shares, is in the evidence.
            question["evidence"] = 1
        try:
            found = _within(self._left_s(), lambda left_s: self._options.preflight.verdict(question, left_s))
        except Exception as error:
            return OrderRefused("unavailable", f"{type(error).__name__}: {error}")
        if found is None:
            return OrderRefused("unavailable", "no verdict came in time")
        body, is_old = found
        if body.get("sandbox") is True:
            return OrderRefused("example", "the answer is a free example: give Preflight a token")
        if is_old:
            return OrderRefused("stale", "the answer is an old one", body)
        asked = body["order"]
        is_about = body["market"]["token_id"] == order.token_id and asked["side"] == order.side
        if not is_about or _micros(asked["usd"]) != usd_micros:
            return OrderRefused("plan_mismatch", "the answer is about another order", body)
        return body

    def _usd_micros(self) -> Optional[int]:
        order = self._order
        if order.usd is not None:
            return _micros(order.usd) or None
        price = order.price
        if price is None:
            try:
                price = _within(self._left_s(), lambda _: self._call.estimate_price())
            except Exception:
                price = None
        if price is None or order.shares is None:
            return None
        return int(Decimal(str(price)) * _micros(order.shares)) or None

    def _left_s(self) -> float:
        return self._end - time.monotonic()


def _why(body: Mapping[str, Any]) -> str:
    reasons = body.get("reasons") or ["no reason is named"]
    return f"{body['verdict']}: {reasons[0]}"


def _is_taken(choice: Callable[[Mapping[str, Any]], bool], body: Mapping[str, Any]) -> bool:
    try:
        return choice(body) is True
    except Exception:
        return False


def _is_worse(side: str, price: float, limit: float) -> bool:
    return price > limit + 1e-9 if side == "BUY" else price < limit - 1e-9


def _within(seconds: float, work: Callable[[float], Any]) -> Any:
    """Returns what the work returns, or None when the time is over; raises what it raises.

    In its own thread: no time-out of requests bounds a look-up of a name, nor an answer that
    drips.
    """
    if seconds <= 0:
        return None
    done: "queue.SimpleQueue[tuple[bool, Any]]" = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((True, work(seconds)))
        except Exception as error:
            done.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        is_done, value = done.get(timeout=seconds)
    except queue.Empty:
        return None
    if is_done:
        return value
    raise value


# ---------------------------------------------------------------------------------------------
# The client


def _view_of(client: Any, values: Mapping[str, Any]) -> Any:
    """Returns the client as its own methods see it while one of them runs, with other values for some members.

    All else they find in the client, where also goes what they write. So a repeated POST and a kept
    price step are out of the way, and the client that the owner holds stays as it is.
    """

    class View(type(client)):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            held = getattr(client, "__dict__", {})
            if name in values or name in held:
                return values[name] if name in values else held[name]
            try:
                return super().__getattribute__(name)
            except AttributeError:
                return getattr(client, name)

        def __setattr__(self, name: str, value: Any) -> None:
            setattr(client, name, value)

    return object.__new__(View)


@dataclass(frozen=True)
class _VenueAnswer:
    """What became of a posted order: accepted, rejected (it is in no book), or unknown."""

    kind: str
    why: str = ""
    order_id: Optional[str] = None
    status: Optional[str] = None
    facts: Optional[Mapping[str, Any]] = None


#: Refusals that say that the order may be at work all the same: it was sent before, or is matched later.
_MAY_STILL_MATCH = re.compile(r"duplicated|delayed", re.IGNORECASE)
#: What the matching engine itself says with a status of 500 (docs.polymarket.com, error codes).
_ENGINE_SAID_NO = re.compile(
    r"no matching orders|filled or killed|rounding issues|discrepancy greater than allowed"
    r"|cancel-only|trading is currently disabled|post-only mode",
    re.IGNORECASE,
)


def _read_refusal(status: Any, message: str) -> _VenueAnswer:
    """Returns what a status with an error says of an order. Without a status nothing is known."""
    code = status if isinstance(status, int) else 0
    is_of_client = 400 <= code < 500 and code != 408
    is_of_engine = code >= 500 and _ENGINE_SAID_NO.search(message) is not None
    is_no = (is_of_client or is_of_engine) and not _MAY_STILL_MATCH.search(message)
    return _VenueAnswer("rejected" if is_no else "unknown", f"{code or 'no status'}: {message}")


def _read_answer(answer: Any) -> _VenueAnswer:
    """Returns what the answer of an accepted or refused order says; unknown if it says neither."""
    if not isinstance(answer, dict):
        return _VenueAnswer("unknown", "the answer is none")
    if answer.get("error") not in (None, ""):
        return _read_refusal(answer.get("status"), str(answer["error"]))
    why, order_id = str(answer.get("errorMsg") or ""), answer.get("orderID") or answer.get("orderId") or None
    facts = {
        "making_amount": answer.get("makingAmount"),
        "taking_amount": answer.get("takingAmount"),
        "transaction_hashes": answer.get("transactionsHashes"),
    }
    is_ok = answer.get("success")
    if _MAY_STILL_MATCH.search(why):
        kind = "unknown"
    elif is_ok is True and isinstance(order_id, str):
        kind = "accepted"
    else:
        # A leg of a batch that was refused: success, without an order and with a reason.
        kind = "rejected" if is_ok is False or (is_ok is True and why) else "unknown"
    return _VenueAnswer(kind, why, order_id, answer.get("status"), {k: v for k, v in facts.items() if v})


class _Poster:
    """Calls a method that posts, with one POST at most, and knows what the POST itself was answered.

    The client looks for the trades of an accepted order afterwards; an error of that is none of the
    order.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        #: ('answered', answer) or ('failed', error) of the POST.
        self._posted: Optional[tuple[str, Any]] = None
        self._own_post: Any = None

    def run(self, method: str, *args: Any) -> tuple[Any, Optional[Exception]]:
        """Returns the answer, or what the method raised where the POST had none."""
        values: dict[str, Any] = {"retry_on_error": False}
        if callable(getattr(self._client, "_post", None)):
            values["_post"] = self._post
            self._own_post = _view_of(self._client, {"retry_on_error": False})._post
        try:
            return getattr(_view_of(self._client, values), method)(*args), None
        except Exception as error:
            if self._posted is not None and self._posted[0] == "answered":
                return self._posted[1], None
            return None, error

    def _post(self, *args: Any, **kwargs: Any) -> Any:
        if self._posted is not None:
            raise RuntimeError("a POST of an order goes out once")
        self._posted = ("failed", None)
        try:
            answer = self._own_post(*args, **kwargs)
        except Exception as error:
            self._posted = ("failed", error)
            raise
        self._posted = ("answered", answer)
        return answer

    def read_error(self, error: Exception) -> _VenueAnswer:
        """Only the POST's own error says what became of the order."""
        message = getattr(error, "error_msg", None)
        text = message if isinstance(message, str) else json.dumps(message) if message is not None else str(error)
        is_of_post = self._posted is not None and self._posted[1] is error
        return _read_refusal(getattr(error, "status_code", None) if is_of_post else None, text)


@dataclass
class _Call:
    """One order of a call of a guarded method."""

    order: GuardedOrder
    #: Signs the order in these amounts, for the exchange of the plan; sends nothing.
    sign_planned: Callable[[_Amounts, Optional[bool]], Any]
    #: Signs the order as it was written, from a copy; of a signed one, returns it.
    sign_as_written: Callable[[], Any]
    estimate_price: Callable[[], float] = lambda: 0.0
    balance_usd: Optional[float] = None
    #: What its owner said of the exchange.
    neg_risk: Optional[bool] = None
    #: Never takes, and pays no fee: the venue refuses it where it would cross the book.
    is_post_only: bool = False


def _market_call(client: Any, args: Any, options: Any, order_type: Any) -> _Call:
    side, amount = _side(args.side), _positive(args.amount)
    is_buy = side == "BUY"
    order = GuardedOrder(
        method="create_and_post_market_order",
        token_id=str(args.token_id),
        side=side,
        usd=(amount or 0.0) if is_buy else None,
        shares=None if is_buy else amount,
        price=_positive(getattr(args, "price", None)),
        order_type=_word(order_type),
        is_signed=False,
    )
    written = getattr(options, "neg_risk", None)

    def sign_planned(planned: _Amounts, neg_risk: Optional[bool]) -> Any:
        wanted = copy.copy(args)
        wanted.amount, wanted.price, wanted.order_type = planned.amount, planned.price, order_type
        if hasattr(wanted, "user_usdc_balance"):
            # It was held against the plan; the client would make another size of it.
            wanted.user_usdc_balance = 0
        named = types.SimpleNamespace(**(vars(options) if options is not None else {}))
        named.tick_size, named.neg_risk = planned.tick_size, neg_risk if written is None else written
        view = _view_of(client, _fresh_tick(client, order.token_id, planned.tick_size))
        return view.create_market_order(wanted, named)

    return _Call(
        order,
        sign_planned,
        lambda: client.create_market_order(copy.copy(args), copy.copy(options)),
        lambda: client.calculate_market_price(order.token_id, args.side, amount, order_type),
        _positive(getattr(args, "user_usdc_balance", None)) if is_buy else None,
        written,
    )


def _fresh_tick(client: Any, token_id: str, tick_size: str) -> Mapping[str, Any]:
    """The client keeps the first price step that it sees of a market; the plan has that of the book."""
    names = [f"_{cls.__name__.lstrip('_')}__tick_sizes" for cls in type(client).__mro__]
    return {name: {**getattr(client, name), token_id: tick_size} for name in names if hasattr(client, name)}


def _limit_call(client: Any, args: Any, options: Any, order_type: Any, post_only: Any) -> _Call:
    def sign() -> Any:
        return client.create_order(copy.copy(args), copy.copy(options))

    order = GuardedOrder(
        method="create_and_post_order",
        token_id=str(args.token_id),
        side=_side(args.side),
        usd=None,
        shares=_positive(args.size),
        price=_positive(args.price),
        order_type=_word(order_type),
        is_signed=False,
    )
    estimate, is_post_only = lambda: order.price or 0.0, post_only is True
    return _Call(order, lambda _planned, _neg_risk: sign(), sign, estimate, is_post_only=is_post_only)


def _signed_call(method: str, signed: Any, order_type: Any, post_only: Any) -> _Call:
    """What is none has no amounts, and is refused by them."""
    read = _Signed.of(signed)
    if read is None:
        side = _side(_member(signed, "side"))
        token_id, usd, shares, price = "", 0.0 if side == "BUY" else None, None, None
    else:
        side, token_id = read.side, read.token_id
        usd = read.maker_amount / MICROS if side == "BUY" else None
        shares = read.shares_micros / MICROS
        price = read.usd_micros / read.shares_micros if read.shares_micros else None
    order = GuardedOrder(method, token_id, side, usd, shares, price, _word(order_type), is_signed=True)
    return _Call(order, lambda _planned, _neg_risk: signed, lambda: signed, is_post_only=post_only is True)


@dataclass(frozen=True)
class _Signed:
    """What is compared of a signed order, amounts in 1e-6."""

    token_id: str
    side: str
    maker_amount: int
    taker_amount: int
    maker: str
    #: Orders of the exchange before this one have neither; the signed fields show no more.
    is_of_v2: bool

    @staticmethod
    def of(order: Any) -> Optional["_Signed"]:
        """Reads a signed order; None if it is none."""
        side = {"BUY": "BUY", 0: "BUY", "SELL": "SELL", 1: "SELL"}.get(_member(order, "side"))
        texts = [str(_member(order, name)) for name in ("tokenId", "makerAmount", "takerAmount")]
        maker = str(_member(order, "maker")).lower()
        if side is None or not all(re.fullmatch(r"[0-9]{1,78}", text) for text in texts):
            return None
        if not re.fullmatch(r"0x[0-9a-f]{40}", maker):
            return None
        is_of_v2 = _member(order, "timestamp") is not None and _member(order, "builder") is not None
        return _Signed(texts[0], side, int(texts[1]), int(texts[2]), maker, is_of_v2)

    @property
    def usd_micros(self) -> int:
        return self.maker_amount if self.side == "BUY" else self.taker_amount

    @property
    def shares_micros(self) -> int:
        return self.taker_amount if self.side == "BUY" else self.maker_amount


def _other_order_fault(order: GuardedOrder, signed: _Signed) -> Optional[str]:
    """Returns why what was signed is not the order that its owner wrote; None if it is that one."""
    if signed.token_id != order.token_id:
        return "the client signed another token"
    if signed.side != order.side:
        return "the client signed the other side"
    is_more = order.usd is not None and signed.side == "BUY" and signed.maker_amount > _micros(order.usd, ROUND_CEILING)
    if order.shares is not None and not order.is_signed:
        is_more = is_more or signed.shares_micros > _micros(order.shares, ROUND_CEILING)
    return "the client signed a larger order" if is_more else None


def _written_fault(order: GuardedOrder, signed: _Signed) -> Optional[str]:
    """Returns the same, and why its price is worse than its owner's. Clients round prices to a step."""
    fault = _other_order_fault(order, signed)
    if fault is not None or order.is_signed or order.price is None:
        return fault
    limit = order.price * signed.shares_micros
    is_buy = signed.side == "BUY"
    is_worse = signed.usd_micros > limit + ROUNDING_MICROS if is_buy else signed.usd_micros < limit - ROUNDING_MICROS
    return "the client signed a worse price" if is_worse else None


# ---------------------------------------------------------------------------------------------
# The guard


@dataclass(frozen=True)
class _Options:
    preflight: Any
    per_day_micros: int
    caution: Any
    is_exit: Optional[Callable[[GuardedOrder], bool]]
    mode: str
    timeout_s: float
    limits: Mapping[str, Any]
    on_warning: Callable[[str], None]


@dataclass(frozen=True)
class _Ready:
    """An order that may go out: decided, claimed and signed, in this order."""

    order_id: str
    whole: Any
    #: What can be read of it; None only of an exit.
    signed: Optional[_Signed]
    #: An exit claims nothing.
    is_exit: bool
    #: What an entry was decided by; None without one, and of an exit.
    verdict: Optional[Mapping[str, Any]] = None


class _Guard:
    def __init__(self, client: Any, options: _Options, home: Path, name: str) -> None:
        folder = home / "orders" / name
        self._client = client
        self._options = options
        self._home = home
        self._folders = (home, home / "orders")
        # What shadow mode would have claimed counts apart.
        self._claims = _Claims(folder, "claims" if options.mode == "guard" else "shadow-claims")
        self._log = _GuardLog(folder / "log")

    # -- Methods in the place of the client's ---------------------------------------------------

    def create_and_post_market_order(
        self, order_args: Any, options: Any = None, order_type: Any = "FOK", defer_exec: bool = False
    ) -> Any:
        call = _market_call(self._client, order_args, options, order_type)
        through = (copy.copy(order_args), copy.copy(options), order_type, defer_exec)
        return self._send(call, (order_type, False, defer_exec), "create_and_post_market_order", through)

    def create_and_post_order(
        self,
        order_args: Any,
        options: Any = None,
        order_type: Any = "GTC",
        post_only: bool = False,
        defer_exec: bool = False,
    ) -> Any:
        call = _limit_call(self._client, order_args, options, order_type, post_only)
        through = (copy.copy(order_args), copy.copy(options), order_type, post_only, defer_exec)
        return self._send(call, (order_type, post_only, defer_exec), "create_and_post_order", through)

    def post_order(self, order: Any, order_type: Any = "GTC", post_only: bool = False, defer_exec: bool = False) -> Any:
        rest = (order_type, post_only, defer_exec)
        call = _signed_call("post_order", order, order_type, post_only)
        return self._send(call, rest, "post_order", (order, *rest))

    def post_orders(self, args: Sequence[Any], post_only: bool = False, defer_exec: bool = False) -> Any:
        """Those that may go out are posted together; each of the others has its refusal in its place."""
        legs = list(args)
        calls = [_signed_call("post_orders", leg.order, leg.orderType, post_only) for leg in legs]
        if self._options.mode == "shadow" or not legs:
            return self._shadow(calls, lambda: self._client.post_orders(legs, post_only, defer_exec))
        # One after the other: each claims what those before it have left.
        claimed = [self._prepare(call) for call in calls]
        prepared = [self._announce(one) for one in claimed]
        kept = [leg for leg, one in zip(legs, prepared) if isinstance(one, _Ready)]
        ready = [one for one in prepared if isinstance(one, _Ready)]
        if not ready:
            raise prepared[0]  # type: ignore[misc]
        answers = iter(self._post(ready, "post_orders", kept, post_only, defer_exec))
        return [next(answers) if isinstance(one, _Ready) else _refused_answer(one) for one in prepared]

    def cancelled(self, method: str) -> None:
        self._quietly(lambda: self._append({"kind": "cancel", "method": method}))

    # -- One order ------------------------------------------------------------------------------

    def _send(self, call: _Call, rest: Sequence[Any], method: str, through: Sequence[Any]) -> Any:
        if self._options.mode == "shadow":
            return self._shadow([call], lambda: getattr(self._client, method)(*through))
        prepared = self._announce(self._prepare(call))
        if isinstance(prepared, OrderRefused):
            raise prepared
        return self._post([prepared], "post_order", prepared.whole, *rest)[0]

    def _prepare(self, call: _Call) -> Union[_Ready, OrderRefused]:
        """Decides about an order, claims what it may cost and signs it.

        Raises only where an exit cannot be signed at all, as the client does.
        """
        order_id = secrets.token_hex(12)
        return self._prepare_exit(order_id, call) if self._is_exit(call) else self._prepare_entry(order_id, call)

    def _is_exit(self, call: _Call) -> bool:
        """Whether an order is an exit, by its owner's yes or no; without one a SELL is."""
        usual = call.order.side == "SELL"
        if self._options.is_exit is None:
            return usual
        try:
            said = self._options.is_exit(call.order)
        except Exception:
            return usual
        # The coroutine of an async function is true, whatever it would come to.
        return said if isinstance(said, bool) else usual

    def _frozen(self) -> Optional[OrderRefused]:
        since = _frozen_since(self._home)
        return None if since is None else OrderRefused("frozen", since)

    def _prepare_exit(self, order_id: str, call: _Call) -> Union[_Ready, OrderRefused]:
        """An exit is never stopped, unless the client signed something else in its place."""
        decision = _Asker(self._options, call).decide()
        self._quietly(lambda: self._decided(order_id, call, True, decision))
        if decision.refusal is not None:
            self._warn(f"an exit is sent against {decision.refusal.rule}: {decision.refusal.why}")
        amounts, neg_risk = _exit_amounts(call.order, decision)
        made = self._sign_one_of(call, amounts, neg_risk)
        whole = made[0] if isinstance(made, tuple) else call.sign_as_written()
        signed = _Signed.of(whole)
        fault = None if signed is None else _other_order_fault(call.order, signed)
        if fault is None:
            return _Ready(order_id, whole, signed, True)
        refusal = OrderRefused("signed_otherwise", fault)
        self._not_sent(order_id, refusal)
        self._warn(f"an exit was not sent: {fault}")
        return refusal

    def _prepare_entry(self, order_id: str, call: _Call) -> Union[_Ready, OrderRefused]:
        stopped = self._frozen()
        decision = _Asker(self._options, call).decide() if stopped is None else _Decision("refused", refusal=stopped)
        decision = self._claim(order_id, call, decision)
        if decision.kind == "refused" and decision.refusal is not None:
            self._quietly(lambda: self._decided(order_id, call, False, decision))
            return decision.refusal
        try:
            self._decided(order_id, call, False, decision)
            found = self._sign_entry(call, decision)
        except Exception as error:
            found = OrderRefused("ledger_unavailable", str(error), decision.verdict)
        if isinstance(found, OrderRefused):
            return self._give_back(order_id, found)
        return _Ready(order_id, found[0], found[1], False, decision.verdict)

    def _announce(self, prepared: Union[_Ready, OrderRefused]) -> Union[_Ready, OrderRefused]:
        """Writes down that an order goes out now: by this its outcome is known if the process dies.

        An entry that cannot be written down does not go out, nor one that a freeze has met since:
        signing, and the orders beside it, may take as long as its owner's wallet does.
        """
        if isinstance(prepared, OrderRefused):
            return prepared
        if prepared.is_exit:
            self._quietly(lambda: self._posting(prepared))
            return prepared
        stopped = self._frozen()
        if stopped is not None:
            return self._give_back(prepared.order_id, OrderRefused(stopped.rule, stopped.why, prepared.verdict))
        try:
            self._posting(prepared)
        except Exception as error:
            refusal = OrderRefused("ledger_unavailable", str(error), prepared.verdict)
            return self._give_back(prepared.order_id, refusal)
        return prepared

    def _give_back(self, order_id: str, refusal: OrderRefused) -> OrderRefused:
        """What was never sent counts no more."""
        self._not_sent(order_id, refusal)
        self._quietly(lambda: self._claims.give_back(order_id))
        return refusal

    def _claim(self, order_id: str, call: _Call, decision: _Decision) -> _Decision:
        """Claims what an entry may cost, before anything of it is signed."""
        if decision.refusal is not None:
            return _Decision("refused", decision.refusal.verdict, refusal=decision.refusal)
        micros = _cost_micros(call, decision)
        if micros <= 0:
            return _refuse("signed_otherwise", "the order has no amounts", decision.verdict)
        cap = self._options.per_day_micros
        try:
            for folder in self._folders:
                _make_private_folder(folder)
            claimed = self._claims.claim(order_id, micros, cap)
        except (OSError, sqlite3.Error) as error:
            return _refuse("ledger_unavailable", str(error), decision.verdict)
        if claimed is None:
            return decision
        why = f"{claimed / MICROS} of {cap / MICROS} USD are claimed in 24 hours, and this may cost {micros / MICROS}"
        return _refuse("daily_cap", why, decision.verdict)

    def _sign_one_of(
        self, call: _Call, amounts: Sequence[_Amounts], neg_risk: Optional[bool]
    ) -> Union[tuple[Any, _Signed], Optional[Exception]]:
        """Signs the first of the amounts that the client signs to the unit. Sends nothing."""
        failed: Optional[Exception] = None
        for wanted in amounts:
            try:
                whole = call.sign_planned(wanted, neg_risk)
            except Exception as error:
                failed = error
                continue
            signed = _Signed.of(whole)
            is_order = signed is not None and (signed.token_id, signed.side) == (call.order.token_id, call.order.side)
            if is_order and (signed.maker_amount, signed.taker_amount) == (wanted.maker, wanted.taker):
                return whole, signed
        return failed

    def _sign_entry(self, call: _Call, decision: _Decision) -> Union[tuple[Any, _Signed], OrderRefused]:
        """Signs an entry and holds what was signed against what was decided. Nothing is sent yet."""

        def no(rule: str, why: str) -> OrderRefused:
            return OrderRefused(rule, why, decision.verdict)

        plan = decision.plan
        if plan is not None and None not in (plan.neg_risk, call.neg_risk) and plan.neg_risk != call.neg_risk:
            return no("exchange_mismatch", "the order is written for the exchange of other markets")
        if plan is None:
            made = self._sign_written(call)
        else:
            made = self._sign_one_of(call, plan.amounts, plan.neg_risk)
        if not isinstance(made, tuple):
            return no("signed_otherwise", "not the amounts of the plan" if made is None else str(made))
        if not made[1].is_of_v2:
            return no("exchange_mismatch", "the order is signed for an exchange that is not known")
        if decision.valid_until_ms is not None and _now_ms() > decision.valid_until_ms:
            return no("stale", "the verdict was over before the order was signed")
        return made

    def _sign_written(self, call: _Call) -> Union[tuple[Any, _Signed], Union[str, Exception]]:
        try:
            whole = call.sign_as_written()
        except Exception as error:
            return error
        signed = _Signed.of(whole)
        if signed is None:
            return "what the client signed cannot be read"
        return _written_fault(call.order, signed) or (whole, signed)

    def _post(self, ready: Sequence[_Ready], method: str, *args: Any) -> list[Any]:
        """Posts orders by one request, once, and returns the client's answer for each.

        What is neither accepted nor refused is unknown, and keeps its claim.
        """
        poster = _Poster(self._client)
        answer, error = poster.run(method, *args)
        if method == "post_order":
            answers = [answer]
        else:
            # What came in the place of a list is the answer of all.
            answers = answer if isinstance(answer, list) and len(answer) == len(ready) else [answer] * len(ready)
        reads = [poster.read_error(error) if error is not None else _read_answer(one) for one in answers]
        for one, read in zip(ready, reads):
            self._conclude(one, read)
        if all(read.kind == "unknown" for read in reads):
            ids = " ".join(one.order_id for one in ready)
            raise OrderOutcomeUnknown(ids, reads[0].why) from error
        if error is not None:
            raise error
        return [
            _unknown_answer(OrderOutcomeUnknown(one.order_id, read.why)) if read.kind == "unknown" else received
            for one, read, received in zip(ready, reads, answers)
        ]

    def _conclude(self, ready: _Ready, read: _VenueAnswer) -> None:
        """What the venue refused is in no book, and its claim is given back. All else keeps it."""
        line = {"kind": "ended", "id": ready.order_id, "outcome": read.kind, **(read.facts or {})}
        named = {"why": read.why, "order_id": read.order_id, "status": read.status}
        self._quietly(lambda: self._append({**line, **{key: value for key, value in named.items() if value}}))
        if read.kind == "rejected" and not ready.is_exit:
            self._quietly(lambda: self._claims.give_back(ready.order_id))

    # -- Shadow mode ----------------------------------------------------------------------------

    def _shadow(self, calls: Sequence[_Call], send: Callable[[], Any]) -> Any:
        """Writes down what the guard would have made of orders, and sends them as they are."""
        ids = [self._decide_in_shadow(call) for call in calls]

        def ended(read: Callable[[int], _VenueAnswer]) -> None:
            for at, order_id in enumerate(ids):
                # What was claimed is claimed in shadow, and stays.
                self._conclude(_Ready(order_id, None, None, True), read(at))

        try:
            answer = send()
        except Exception as error:
            ended(lambda _at, error=error: _read_refusal(getattr(error, "status_code", None), str(error)))
            raise
        is_list = isinstance(answer, list) and len(answer) == len(ids)
        ended(lambda at: _read_answer(answer[at] if is_list else answer))
        return answer

    def _decide_in_shadow(self, call: _Call) -> str:
        order_id = secrets.token_hex(12)
        is_exit = self._is_exit(call)
        stopped = None if is_exit else self._frozen()
        decision = _Asker(self._options, call).decide()
        if stopped is not None:
            # What an entry is worth is known although all of them are frozen.
            decision = _refuse(stopped.rule, stopped.why, decision.verdict)
        if not is_exit:
            decision = self._claim(order_id, call, decision)
        self._quietly(lambda: self._decided(order_id, call, is_exit, decision))
        return order_id

    # -- The log --------------------------------------------------------------------------------

    def _decided(self, order_id: str, call: _Call, is_exit: bool, decision: _Decision) -> None:
        """Raises if it cannot be written."""
        order, refusal, plan = call.order, decision.refusal, decision.plan
        body = decision.verdict
        self._append(
            {
                "kind": "decided",
                "id": order_id,
                "mode": self._options.mode,
                "order": {
                    "method": order.method,
                    "tokenId": order.token_id,
                    "side": order.side,
                    "usd": order.usd,
                    "shares": order.shares,
                    "price": order.price,
                    "orderType": order.order_type,
                    "isSigned": order.is_signed,
                },
                "is_exit": is_exit,
                "action": "as_written" if is_exit and decision.kind == "refused" else decision.kind,
                "rule": None if refusal is None else refusal.rule,
                "why": None if refusal is None else refusal.why,
                "verdict": None
                if body is None
                else {
                    "verdict": body["verdict"],
                    "reason_codes": body["reason_codes"],
                    "usd": body["order"]["usd"],
                    "numbers": body["numbers"],
                },
                "plan": None
                if plan is None
                else {
                    "maker_amount": str(plan.amounts[0].maker),
                    "taker_amount": str(plan.amounts[0].taker),
                    "worst_price": plan.amounts[0].price,
                },
            }
        )

    def _posting(self, ready: _Ready) -> None:
        signed = ready.signed
        amounts = ("", "", "") if signed is None else (signed.maker, str(signed.maker_amount), str(signed.taker_amount))
        maker, maker_amount, taker_amount = amounts
        line = {"maker": maker, "maker_amount": maker_amount, "taker_amount": taker_amount}
        self._append({"kind": "posting", "id": ready.order_id, **line})

    def _not_sent(self, order_id: str, refusal: OrderRefused) -> None:
        line = {"outcome": "not_sent", "rule": refusal.rule, "why": refusal.why}
        self._quietly(lambda: self._append({"kind": "ended", "id": order_id, **line}))

    def _append(self, line: Mapping[str, Any]) -> None:
        for folder in self._folders:
            _make_private_folder(folder)
        self._log.append(line)

    def _quietly(self, work: Callable[[], None]) -> None:
        """Does what has no say over an order that is on its way."""
        try:
            work()
        except Exception as error:
            self._warn(f"the guard cannot write down what it does: {error}")

    def _warn(self, text: str) -> None:
        try:
            self._options.on_warning(text)
        except Exception:
            _log.exception("a warning could not be delivered: %s", text)


def _exit_amounts(order: GuardedOrder, decision: _Decision) -> tuple[Sequence[_Amounts], Optional[bool]]:
    """Those of the plan, or of the order as it was written, so that the venue takes them."""
    if decision.plan is not None:
        return decision.plan.amounts, decision.plan.neg_risk
    is_own = order.side == "SELL" and order.is_taking and not order.is_signed
    if not is_own or decision.verdict is None or order.shares is None or order.price is None:
        return (), None
    return _own_sells(decision.verdict, order.shares, order.price), None


def _cost_micros(call: _Call, decision: _Decision) -> int:
    """What an entry may cost. A plan has the largest fee in it."""
    if decision.plan is not None:
        return decision.plan.usd_micros
    if decision.cost_micros is not None:
        return decision.cost_micros
    order = call.order
    price = Decimal(str(order.price or 0))
    usd = Decimal(str(order.shares or 0)) * price if order.usd is None else Decimal(str(order.usd))
    if order.side == "BUY" and not call.is_post_only:
        # A limit order may cross the book, and without a verdict the rate of its market is not known.
        # A share costs the most at the order's own price: a better one saves more than its fee is larger.
        usd += usd * FEE_RATE_WORST * max(Decimal(0), 1 - price)
    return _micros(usd, ROUND_CEILING)


def _refused_answer(refusal: OrderRefused) -> Mapping[str, Any]:
    text = str(refusal)
    return {"success": False, "error": text, "errorMsg": text, "status": "preflight_refused", "rule": refusal.rule}


def _unknown_answer(unknown: OrderOutcomeUnknown) -> Mapping[str, Any]:
    text = str(unknown)
    rule = "outcome_unknown"
    return {"success": False, "error": text, "errorMsg": text, "status": "preflight_outcome_unknown", "rule": rule}


_REPLACED = ("create_and_post_market_order", "create_and_post_order", "post_order", "post_orders")
_CANCELS = ("cancel_order", "cancel_orders", "cancel_all", "cancel_market_orders")


class _Guarded:
    """The client with some of its methods replaced; all else is the client's own."""

    def __init__(self, client: Any, guarding: _Guard) -> None:
        object.__setattr__(self, "_guarded", (client, guarding))

    def __getattribute__(self, name: str) -> Any:
        client, guarding = object.__getattribute__(self, "_guarded")
        if name in _REPLACED:
            return getattr(guarding, name)
        found = getattr(client, name)
        return _cancelling(found, guarding, name) if name in _CANCELS else found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_guarded")[0], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(object.__getattribute__(self, "_guarded")[0], name)

    def __dir__(self) -> list[str]:
        return dir(object.__getattribute__(self, "_guarded")[0])


def _cancelling(cancel: Callable[..., Any], guarding: _Guard, name: str) -> Callable[..., Any]:
    """A cancel goes out first, and is written down then."""

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return cancel(*args, **kwargs)
        finally:
            guarding.cancelled(name)

    return run


def guard(
    client: Any,
    preflight: Union[Preflight, str, None] = None,
    *,
    per_day_usd: float,
    caution: Union[str, Callable[[Mapping[str, Any]], bool]] = "resize",
    is_exit: Optional[Callable[[GuardedOrder], bool]] = None,
    mode: str = "guard",
    timeout_s: float = VERDICT_WAIT_S,
    limits: Optional[Mapping[str, Any]] = None,
    name: str = "default",
    home: Union[str, Path, None] = None,
    on_warning: Callable[[str], None] = _log.warning,
) -> Any:
    """Returns the same client with a guard before its order methods.

    `preflight`: the service, or its address; None: that of the environment. `per_day_usd`: most that
    entries may cost in any 24 hours, with their largest fees; all guards of this user with the same
    `name` share it. `caution`: `resize` sends an entry that is CAUTION at the size that is OK,
    `refuse` does not, a function is called with the verdict and says True to take it. `is_exit`:
    a function that says True or False, whether an order closes a position; without it, and where it
    raises or says anything else (an async function returns a coroutine), every SELL does. `mode`:
    `guard`, or `shadow`, which sends every order as written and logs what would have become of it.
    `limits`: max_slippage_c, veto_slippage_c, max_book_age_s. `home`: folder of the state, else
    PREFLIGHT_HOME.

    Its order methods raise OrderRefused and OrderOutcomeUnknown beside what the client raises.
    Raises TypeError or ValueError if the client or an option is none.
    """
    if type(client) is _Guarded:
        raise TypeError("this client is guarded already")
    for method in ("create_market_order", "create_order", *_REPLACED):
        if not callable(getattr(client, method, None)):
            raise TypeError(f"this is no client of the venue that can send orders: it has no {method}")
    if isinstance(per_day_usd, bool) or not (isfinite(per_day_usd) and per_day_usd >= 0):
        raise ValueError("per_day_usd is a number of USD, zero or more")
    if not (isfinite(timeout_s) and timeout_s > 0):
        raise ValueError("timeout_s is above zero")
    if not callable(caution) and caution not in ("resize", "refuse"):
        raise ValueError("caution is 'resize', 'refuse' or a function")
    if mode not in ("guard", "shadow"):
        raise ValueError("mode is 'guard' or 'shadow'")
    if not re.fullmatch(r"[a-z0-9-]{1,32}", name):
        raise ValueError("the name of a guard is 1 to 32 lower-case letters, digits and hyphens")
    options = _Options(
        preflight=Preflight(preflight) if preflight is None or isinstance(preflight, str) else preflight,
        per_day_micros=_micros(per_day_usd),
        caution=caution,
        is_exit=is_exit,
        mode=mode,
        timeout_s=timeout_s,
        limits=dict(limits or {}),
        on_warning=on_warning,
    )
    return _Guarded(client, _Guard(client, options, Path(home) if home is not None else _state_home(), name))


# ---------------------------------------------------------------------------------------------
# Small things


def _now_ms() -> int:
    return int(time.time() * 1000)


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") + f".{at_ms % 1000:03}Z"


def _moment_ms(text: str) -> int:
    """Raises ValueError if it is no moment."""
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def _micros(value: Any, rounding: str = ROUND_FLOOR) -> int:
    """Returns a number or decimal text in 1e-6; never more than it is, unless it is to be rounded up."""
    return int((Decimal(str(value)) * MICROS).to_integral_value(rounding))


def _ticks(text: Any) -> int:
    """Returns a price in 1e-4 USD. Raises ValueError if it has more decimals."""
    ticks = Decimal(str(text)) * TICKS
    if ticks != int(ticks):
        raise ValueError("a price has at most 4 decimals")
    return int(ticks)


def _decimal_text(ticks: int) -> str:
    return f"{Decimal(ticks) / TICKS:f}"


def _positive(value: Any) -> Optional[float]:
    """Returns a number as callers give it, also as text; None if it is none above zero."""
    if isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return float(number) if number.is_finite() and number > 0 else None


def _side(value: Any) -> str:
    # What is neither is refused by the client; for the guard it is what it stops.
    return "SELL" if value in ("SELL", 1) else "BUY"


def _word(value: Any) -> str:
    """Returns the word of an enumeration, or of a text."""
    return str(getattr(value, "value", value))


def _member(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def _object_in(text: bytes) -> Optional[Mapping[str, Any]]:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _shown(text: Any) -> str:
    """Returns what others wrote on one line, without characters that act on a terminal."""
    return "".join(char if char.isprintable() else " " for char in str(text))[:SHOWN_CHARS_MAX]


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Freezes and unfreezes from a terminal: it calls no service."""
    parser = argparse.ArgumentParser(description="Stops the entries of all guarded clients of this user.")
    commands = parser.add_subparsers(dest="command", required=True)
    frozen = commands.add_parser("freeze", help="stop entries; exits and cancels go on")
    frozen.add_argument("--reason", default="", help="text that every refusal gives")
    commands.add_parser("unfreeze", help="let entries pass again")
    options = parser.parse_args(argv)
    if options.command == "freeze":
        freeze(options.reason)
    else:
        unfreeze()
    since = _frozen_since(_state_home())
    print("entries pass" if since is None else f"entries are frozen {since}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
