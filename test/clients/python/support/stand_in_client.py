"""Stands in for py-clob-client-v2: its interface, its kept price steps, its retry, its exact lots.

Written after how that client behaves, on requests alone. What it cannot do without more packages, to
sign, a server of the test does for it.
"""

import json
import os
import shutil
import signal
import sys
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from enum import Enum, IntEnum
from math import gcd
from pathlib import Path
from types import SimpleNamespace

import requests

WAIT_S = 60
ZERO = "0x" + "00" * 32
API_KEY = "00000000-0000-4000-8000-000000000001"


class OrderType(str, Enum):
    GTC = "GTC"
    FOK = "FOK"
    FAK = "FAK"


class Side(IntEnum):
    BUY = 0
    SELL = 1


@dataclass
class MarketOrderArgs:
    token_id: str
    amount: float
    side: str
    price: float = 0
    order_type: OrderType = OrderType.FOK
    user_usdc_balance: float = 0
    builder_code: str = ZERO


@dataclass
class OrderArgs:
    token_id: str
    price: float
    size: float
    side: str


@dataclass
class PostOrdersArgs:
    order: object
    orderType: OrderType = OrderType.GTC


class ApiError(Exception):
    def __init__(self, status_code, error_msg):
        super().__init__(f"status {status_code}: {error_msg}")
        self.status_code = status_code
        self.error_msg = error_msg


class ClobClient:
    """`tricks` bend it.

    signs (other members), drops (one of them), dies_at (sign, post), trades_fail (a status), spoils (a
    folder, which is a file once an order is signed).
    """

    def __init__(self, host, signer_url, retry_on_error=False, tricks=None):
        self.host = host
        self.retry_on_error = retry_on_error
        self.tricks = tricks or {}
        self.secrets_read_by = []
        self._signer_url = signer_url
        self.__tick_sizes = {}
        self.__cached_version = None

    @property
    def signer(self):
        frame = sys._getframe(1)
        while frame.f_code.co_name == "__getattribute__":
            frame = frame.f_back
        self.secrets_read_by.append(os.path.basename(frame.f_code.co_filename))
        return self._signer_url

    # -- Reads ---------------------------------------------------------------------------------

    def get_tick_size(self, token_id):
        if token_id not in self.__tick_sizes:
            found = self._request("GET", f"/tick-size?token_id={token_id}")
            self.__tick_sizes[token_id] = str(found["minimum_tick_size"])
        return self.__tick_sizes[token_id]

    def get_neg_risk(self, token_id):
        return self._request("GET", f"/neg-risk?token_id={token_id}")["neg_risk"]

    def calculate_market_price(self, token_id, side, amount, order_type=OrderType.FOK):
        book = self._request("GET", f"/book?token_id={token_id}")
        levels = book["asks"] if side in ("BUY", Side.BUY) else book["bids"]
        for level in reversed(levels):
            price, size = float(level["price"]), float(level["size"])
            amount -= size * price if side in ("BUY", Side.BUY) else size
            if amount <= 0:
                return price
        raise ValueError("no match")

    # -- Orders --------------------------------------------------------------------------------

    def create_market_order(self, order_args, options=None):
        self._maybe_die("sign")
        tick = self._tick_of(order_args.token_id, options)
        if not order_args.price:
            order_args.price = self.calculate_market_price(
                order_args.token_id, order_args.side, order_args.amount, order_args.order_type
            )
        order_args.builder_code = order_args.builder_code or ZERO
        price = _steps(order_args.price, tick) * Decimal(tick)
        numerator, denominator = (price * 10_000).as_integer_ratio()[0], 10_000
        common = gcd(numerator, denominator)
        numerator, denominator = numerator // common, denominator // common
        units = int(Decimal(str(order_args.amount)).quantize(Decimal("0.01"), ROUND_DOWN) * 1_000_000)
        if order_args.side in ("BUY", Side.BUY):
            lots = units // numerator
            return self._sign(order_args, "BUY", lots * numerator, lots * denominator, options)
        lots = units // denominator
        return self._sign(order_args, "SELL", lots * denominator, lots * numerator, options)

    def create_order(self, order_args, options=None):
        self._maybe_die("sign")
        price = Decimal(str(order_args.price))
        shares = int(Decimal(str(order_args.size)).quantize(Decimal("0.01"), ROUND_DOWN) * 1_000_000)
        usd = int(shares * price)
        if order_args.side in ("BUY", Side.BUY):
            return self._sign(order_args, "BUY", usd, shares, options)
        return self._sign(order_args, "SELL", shares, usd, options)

    def create_and_post_market_order(self, order_args, options=None, order_type=OrderType.FOK, defer_exec=False):
        return self.post_order(self.create_market_order(order_args, options), order_type, False, defer_exec)

    def create_and_post_order(
        self, order_args, options=None, order_type=OrderType.GTC, post_only=False, defer_exec=False
    ):
        return self.post_order(self.create_order(order_args, options), order_type, post_only, defer_exec)

    def post_order(self, order, order_type=OrderType.GTC, post_only=False, defer_exec=False):
        self._resolve_version()
        answer = self._post("/order", self._body_of(order, order_type, post_only))
        return self._look_for_trades(answer)

    def post_orders(self, args, post_only=False, defer_exec=False):
        answer = self._post("/orders", [self._body_of(one.order, one.orderType, post_only) for one in args])
        return self._look_for_trades(answer)

    def cancel_all(self):
        return self._request("DELETE", "/cancel-all")

    def cancel_order(self, payload):
        return self._request("DELETE", "/order", {"orderID": payload})

    def cancel_orders(self, order_hashes):
        return self._request("DELETE", "/orders", order_hashes)

    def cancel_market_orders(self, payload):
        return self._request("DELETE", "/cancel-market-orders", payload)

    # -- What is behind them -------------------------------------------------------------------

    def _body_of(self, order, order_type, post_only):
        assert self.signer
        order = {name: value for name, value in vars(order).items()}
        order["side"] = "BUY" if order["side"] == Side.BUY else "SELL"
        return {"order": order, "owner": API_KEY, "orderType": order_type, "postOnly": post_only}

    def _look_for_trades(self, answer):
        """Newer versions do after a match, and raise what that raises."""
        if "trades_fail" in self.tricks:
            raise ApiError(self.tricks["trades_fail"], "too many requests")
        return answer

    def _post(self, path, body):
        self._maybe_die("post")
        try:
            return self._request("POST", path, body)
        except ApiError as error:
            if self.retry_on_error and (error.status_code is None or error.status_code >= 500):
                return self._request("POST", path, body)
            raise

    def _request(self, method, path, body=None):
        headers = {"POLY_API_KEY": API_KEY, "POLY_ADDRESS": "0x" + "11" * 20, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        try:
            answer = requests.request(method, self.host + path, headers=headers, data=data, timeout=WAIT_S)
        except requests.RequestException as error:
            raise ApiError(None, "Request exception!") from error
        if answer.status_code != 200:
            raise ApiError(answer.status_code, answer.json())
        return answer.json()

    def _resolve_version(self):
        if self.__cached_version is None:
            self.__cached_version = self._request("GET", "/version")["version"]

    def _tick_of(self, token_id, options):
        least = self.get_tick_size(token_id)
        named = getattr(options, "tick_size", None)
        if named and float(named) < float(least):
            raise ValueError(f"invalid tick size ({named}), minimum for the market is {least}")
        return named or least

    def _sign(self, order_args, side, maker_amount, taker_amount, options):
        neg_risk = getattr(options, "neg_risk", None)
        order = {
            "tokenId": order_args.token_id,
            "side": side,
            "makerAmount": str(maker_amount),
            "takerAmount": str(taker_amount),
            **self.tricks.get("signs", {}),
        }
        neg_risk = self.get_neg_risk(order_args.token_id) if neg_risk is None else neg_risk
        answer = requests.post(self.signer, json={"order": order, "negRisk": neg_risk}, timeout=WAIT_S)
        if "spoils" in self.tricks:
            shutil.rmtree(self.tricks["spoils"], ignore_errors=True)
            Path(self.tricks["spoils"]).touch()
        signed = SimpleNamespace(**answer.json())
        signed.side = Side[signed.side]
        if "drops" in self.tricks:
            delattr(signed, self.tricks["drops"])
        return signed

    def _maybe_die(self, at):
        if self.tricks.get("dies_at") == at:
            os.kill(os.getpid(), signal.SIGKILL)


def _steps(price, tick):
    return (Decimal(str(price)) / Decimal(tick)).to_integral_value(ROUND_DOWN)
