"""Plays calls on a guarded client, as the JSON of its argument says, and prints what came of each.

    {"door", "signer", "guard": {...}, "client": {"retry_on_error", "tricks"}, "steps": [[name, {...}]]}
"""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parents[3] / "clients" / "python")]

import preflight_guard as guarding  # noqa: E402
import stand_in_client as venue  # noqa: E402


def raising(*_):
    raise RuntimeError("its owner is away")


CHOICES = {"yes": lambda verdict: True, "no": lambda verdict: False, "raises": raising}


async def later(_):
    return False


EXITS = {"buys": lambda order: order.side == "BUY", "later": later, "text": lambda _: "no", "raises": raising}


class Freezing(guarding.Preflight):
    """Has the entries frozen while it is asked for the second time."""

    asked = 0

    def verdict(self, order, timeout_s):
        self.asked += 1
        if self.asked == 2:
            guarding.freeze()
        return super().verdict(order, timeout_s)


def main():
    spec = json.loads(sys.argv[1])
    warnings = []
    raw = venue.ClobClient(spec["door"], spec["signer"], **spec.get("client", {}))
    options = {"per_day_usd": 1000, "on_warning": warnings.append, **spec.get("guard", {})}
    options["caution"] = CHOICES.get(options.get("caution"), options.get("caution", "resize"))
    if "is_exit" in options:
        options["is_exit"] = EXITS[options["is_exit"]]
    if options.pop("freezes", False):
        options["preflight"] = Freezing()
    client = guarding.guard(raw, **options)
    steps = Steps(client, raw)
    results = [ended(lambda: getattr(steps, name)(**given)) for name, given in spec["steps"]]
    facts = {
        "results": results,
        "warnings": warnings,
        "changed": steps.changed,
        "secrets_read_by": sorted(set(raw.secrets_read_by)),
        "retry_on_error": raw.retry_on_error,
        "is_client": isinstance(client, venue.ClobClient),
    }
    print(json.dumps(facts))


def ended(work):
    try:
        return {"answer": work()}
    except Exception as error:
        found = {"error": type(error).__name__, "message": str(error)}
        for name in ("rule", "reason_codes", "status_code"):
            if hasattr(error, name):
                found[name] = getattr(error, name)
        verdict = getattr(error, "verdict", None)
        return {**found, "verdict": verdict and verdict["verdict"]}


class Steps:
    def __init__(self, client, raw):
        self._client = client
        self._raw = raw
        self.changed = []

    def buy(self, token, usd, price=0, balance=0, neg_risk=None):
        args = venue.MarketOrderArgs(token, usd, venue.Side.BUY, price, user_usdc_balance=balance)
        return self._market(args, neg_risk)

    def sell(self, token, shares, price=0):
        return self._market(venue.MarketOrderArgs(token, shares, "SELL", price), None)

    def _market(self, args, neg_risk):
        before = dict(vars(args))
        options = None if neg_risk is None else venue.SimpleNamespace(tick_size=None, neg_risk=neg_risk)
        try:
            return self._client.create_and_post_market_order(args, options, order_type=venue.OrderType.FOK)
        finally:
            self.changed += [name for name, value in before.items() if getattr(args, name) != value]

    def limit(self, token, side, shares, price, post_only=False):
        args = venue.OrderArgs(token, price, shares, side)
        return self._client.create_and_post_order(args, None, venue.OrderType.GTC, post_only)

    def post_signed(self, token, usd, price):
        return self._client.post_order(self._signed(token, usd, price), venue.OrderType.FOK)

    def post_all_signed(self, token, sizes, price):
        signed = [self._signed(token, usd, price) for usd in sizes]
        return self._client.post_orders([venue.PostOrdersArgs(one, venue.OrderType.FOK) for one in signed])

    def _signed(self, token, usd, price):
        return self._raw.create_market_order(venue.MarketOrderArgs(token, usd, "BUY", price))

    def cancel_all(self):
        return self._client.cancel_all()

    def keep_tick(self, token, tick):
        """What the client saw of the market before its price step changed."""
        self._client._ClobClient__tick_sizes[token] = tick

    def kept_tick(self, token):
        return self._raw._ClobClient__tick_sizes[token]

    def set_host(self, host):
        self._client.host = host
        return self._raw.host

    def claimed_usd(self):
        path = Path(os.environ["PREFLIGHT_HOME"]) / "orders" / "default" / "claims.sqlite"
        if not path.exists():
            return 0
        with sqlite3.connect(path) as db:
            return db.execute("SELECT COALESCE(SUM(micros), 0) FROM claims").fetchone()[0] / 1e6

    def claim_many(self, count, micros, cap):
        """How many of so many claims the cap left room for."""
        claims = guarding._Claims(Path(os.environ["PREFLIGHT_HOME"]) / "orders" / "default", "claims")
        taken = [claims.claim(f"{os.getpid()}-{at}", micros, cap) is None for at in range(count)]
        return sum(taken)

    def claim_beside(self):
        """Whether another process can claim while one claim is being made here and another thread ends its own."""
        claims = guarding._Claims(Path(os.environ["PREFLIGHT_HOME"]) / "orders" / "default", "claims")
        other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        with closing(claims._open()) as db:
            db.execute("BEGIN IMMEDIATE")
            claims._open().close()
            run = [sys.executable, "-c", other, str(claims._path)]
            return subprocess.run(run, stderr=subprocess.DEVNULL).returncode == 0

    def guard_again(self):
        guarding.guard(self._client, per_day_usd=1)

    def guard_other(self):
        guarding.guard(venue.SimpleNamespace(), per_day_usd=1)

    def rules(self):
        return list(guarding.ORDER_RULES)


main()
