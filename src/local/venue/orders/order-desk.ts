import type { WalletAddress } from '#domain/ids';
import type { Side } from '#domain/market';
import type { Clock } from '#system/clock';
import { ONE_USD_TICKS, stepTicksOf } from '../market/book-view.js';
import type { LiveMarket } from '../market/live-market.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import type { VenueState } from '../market/venue-state.js';
import type { VenueWallet } from '../market/wallets.js';
import type { Exchange } from '../simulation/exchange.js';
import { priceFor, sideTakenBy, type Trade } from '../simulation/trading.js';
import { matchOrder, type Taken } from './match-order.js';
import { formRefusal, smallBuy } from './order-rules.js';
import { readSignature } from './order-signature.js';
import { MICROS, type PostedOrder, usdAndShares } from './posted-order.js';

/** What the venue answers to an order: refused with a status and words, or taken. */
export type Placed =
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  | {
      readonly kind: 'taken';
      readonly id: string;
      readonly status: 'matched' | 'live' | 'delayed';
      readonly makingMicros: bigint;
      readonly takingMicros: bigint;
      readonly transactionHash: string | null;
    };

/** An order that rests, or what became of one that did. */
export interface OpenOrder {
  readonly order: PostedOrder;
  readonly market: LiveMarket;
  readonly createdAtMs: number;
  matchedMicros: bigint;
  status: 'LIVE' | 'MATCHED' | 'CANCELED';
}

/** What an order got at one moment. */
export interface OrderFill {
  readonly order: PostedOrder;
  readonly market: LiveMarket;
  readonly usdMicros: bigint;
  readonly sharesMicros: bigint;
  readonly atMs: number;
  readonly transactionHash: string;
  readonly isTaker: boolean;
}

interface OrderDeskDeps {
  readonly state: VenueState;
  readonly exchange: (slug: string) => Exchange | undefined;
  readonly clock: Clock;
}

/** So many orders are remembered; of the oldest that ended nothing is known any more. */
const ORDERS_MAX = 50_000;

const refused = (error: string, status = 400): Placed => ({ kind: 'refused', status, error });

/**
 * Takes orders for the simulated markets: checks form and signature, matches with the moving book,
 * lets the rest of what may rest stand in it. Money is without end: it knows no balances.
 */
export class OrderDesk {
  readonly #deps: OrderDeskDeps;
  /** By their ids; also those that ended. */
  readonly #orders = new Map<string, OpenOrder>();
  readonly #seen = new Set<string>();
  readonly #fills: OrderFill[] = [];
  readonly #watched = new Set<Exchange>();
  #stopped = false;

  constructor(deps: OrderDeskDeps) {
    this.#deps = deps;
  }

  get fills(): readonly OrderFill[] {
    return this.#fills;
  }

  /** Ends what is delayed. */
  stop(): void {
    this.#stopped = true;
  }

  async place(posted: PostedOrder): Promise<Placed> {
    const { state, exchange, clock } = this.#deps;
    const market = state.marketOfToken(posted.tokenId);
    const at = market === undefined ? undefined : exchange(market.spec.slug);
    if (market?.hasBook !== true || at === undefined)
      return refused('the market is not yet ready to process new orders');
    const signature = await readSignature(posted, market.event.negRisk);
    if (signature === null) return refused('Invalid order payload');
    if (!signature.isSigned) return refused('invalid signature');
    const order = { ...posted, id: signature.hash };
    if (this.#seen.has(order.id)) return refused(`order ${order.id} is invalid. Duplicated.`);
    const view = market.view(market.outcomeOf(order.tokenId));
    const terms = {
      stepTicks: stepTicksOf(view.tickSize),
      minMicros: BigInt(Math.round(Number(view.minOrderSize) * Number(MICROS))),
      nowS: Math.floor(clock.nowMs() / 1_000),
    };
    const refusal = formRefusal(order, terms);
    if (refusal !== null) return refused(refusal);
    const delayMs = market.spec.secondsDelay * 1_000;
    if (delayMs === 0 || order.postOnly) return this.#execute(order, market, at);
    this.#remember(order);
    // A game goes on while it waits: then it is matched with the book of that moment, or with none.
    setTimeout(() => {
      if (!this.#stopped && market.hasBook) this.#execute(order, market, at);
    }, delayMs).unref();
    return { ...nothing(order), status: 'delayed' };
  }

  /** Cancels what rests of these orders. Returns the ids of those that it cancelled. */
  cancel(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => {
      const open = this.#orders.get(id);
      if (open?.status !== 'LIVE') return false;
      open.status = 'CANCELED';
      const exchange = this.#deps.exchange(open.market.spec.slug);
      exchange?.addTo(...this.#levelOf(open), -Number(leftOf(open)), this.#deps.clock.nowMs());
      return true;
    });
  }

  order(id: string): OpenOrder | undefined {
    this.#endExpired();
    return this.#orders.get(id);
  }

  /** Orders that rest. */
  open(): readonly OpenOrder[] {
    this.#endExpired();
    return [...this.#orders.values()].filter(({ status }) => status === 'LIVE');
  }

  #execute(order: PostedOrder, market: LiveMarket, exchange: Exchange): Placed {
    const outcome = market.outcomeOf(order.tokenId);
    const view = market.view(outcome);
    const levels = (order.side === 'BUY' ? view.asksDescending : view.bidsAscending).toReversed();
    const taken = matchOrder(order, levels);
    if (order.postOnly && taken.levels.length > 0) return refused('invalid post-only order: order crosses book');
    if (order.orderType === 'FOK' && !taken.isWhole) {
      return refused("order couldn't be fully filled. FOK orders are fully filled or killed.");
    }
    if (order.orderType === 'FAK' && taken.levels.length === 0) {
      return refused(
        'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      );
    }
    const { usd } = usdAndShares(order);
    if (!order.isMarket && order.side === 'BUY' && taken.levels.length > 0 && usd < MICROS)
      return refused(smallBuy(usd));
    this.#remember(order);
    const transactionHash = taken.levels.length === 0 ? null : this.#take(order, market, exchange, taken);
    const rests = !order.isMarket && !taken.isWhole;
    if (rests) this.#rest(order, market, exchange, taken.shares);
    const [makingMicros, takingMicros] = order.side === 'BUY' ? [taken.usd, taken.shares] : [taken.shares, taken.usd];
    const status = rests ? 'live' : 'matched';
    return { ...nothing(order), status, makingMicros, takingMicros, transactionHash };
  }

  #take(order: PostedOrder, market: LiveMarket, exchange: Exchange, taken: Taken): string {
    const outcome = market.outcomeOf(order.tokenId);
    const fills = taken.levels.map(({ priceTicks, sharesMicros }) => ({
      priceTicks: priceFor(outcome, priceTicks),
      sizeMicros: Number(sharesMicros),
    }));
    const nowMs = this.#deps.clock.nowMs();
    const trade: Trade = { wallet: walletOf(order.maker), outcome, side: order.side, fills };
    const transactionHash = exchange.take(trade, nowMs);
    this.#note({
      order,
      market,
      usdMicros: taken.usd,
      sharesMicros: taken.shares,
      atMs: nowMs,
      transactionHash,
      isTaker: true,
    });
    // What it took may have been orders that rest here.
    this.#follow(exchange, trade);
    return transactionHash;
  }

  #rest(order: PostedOrder, market: LiveMarket, exchange: Exchange, matchedMicros: bigint): void {
    const nowMs = this.#deps.clock.nowMs();
    const open: OpenOrder = { order, market, createdAtMs: nowMs, matchedMicros, status: 'LIVE' };
    this.#orders.set(order.id, open);
    exchange.addTo(...this.#levelOf(open), Number(leftOf(open)), nowMs);
    if (this.#watched.has(exchange)) return;
    this.#watched.add(exchange);
    exchange.afterStep = (trade) => this.#follow(exchange, trade);
  }

  /**
   * Orders that rest are behind all others of their level: one is filled when nothing of the level
   * is left. What the market maker took away with its own stays there.
   */
  #follow(exchange: Exchange, trade: Trade | null): void {
    for (const open of this.open()) {
      if (open.market !== exchange.market) continue;
      const [side, priceTicks] = this.#levelOf(open);
      const size = BigInt(exchange.quoting.book.ladder.sizeAt(side, priceTicks));
      if (size >= leftOf(open)) continue;
      const eaten =
        trade !== null && sideTakenBy(trade) === side && trade.fills.some((fill) => fill.priceTicks === priceTicks);
      if (eaten) this.#fill(open, leftOf(open) - size);
      else exchange.addTo(side, priceTicks, Number(leftOf(open) - size), this.#deps.clock.nowMs());
    }
  }

  #fill(open: OpenOrder, sharesMicros: bigint): void {
    open.matchedMicros += sharesMicros;
    if (leftOf(open) === 0n) open.status = 'MATCHED';
    const { order, market } = open;
    const { usd, shares } = usdAndShares(order);
    const usdMicros = (sharesMicros * usd) / shares;
    const nowMs = this.#deps.clock.nowMs();
    const transactionHash = `0x${BigInt(nowMs).toString(16).padStart(64, '0')}`;
    this.#note({ order, market, usdMicros, sharesMicros, atMs: nowMs, transactionHash, isTaker: false });
  }

  #note(fill: OrderFill): void {
    this.#fills.push(fill);
    if (this.#fills.length > ORDERS_MAX) this.#fills.shift();
  }

  /** Side and price of the first outcome's book at which an order rests. */
  #levelOf({ order, market }: OpenOrder): readonly [Side, number] {
    const outcome: OutcomeIndex = market.outcomeOf(order.tokenId);
    const { usd, shares } = usdAndShares(order);
    const priceTicks = Number((usd * BigInt(ONE_USD_TICKS)) / shares);
    const isBid = (order.side === 'BUY') === (outcome === 0);
    return [isBid ? 'BUY' : 'SELL', priceFor(outcome, priceTicks)];
  }

  #endExpired(): void {
    const nowS = this.#deps.clock.nowMs() / 1_000;
    const expired = [...this.#orders.values()].filter(
      ({ order, status }) => status === 'LIVE' && order.expirationS !== 0 && order.expirationS <= nowS,
    );
    if (expired.length > 0) this.cancel(expired.map(({ order }) => order.id));
  }

  #remember(order: PostedOrder): void {
    this.#seen.add(order.id);
    if (this.#seen.size > ORDERS_MAX) this.#seen.delete(this.#seen.values().next().value!);
    if (this.#orders.size <= ORDERS_MAX) return;
    const ended = [...this.#orders].find(([, { status }]) => status !== 'LIVE');
    if (ended !== undefined) this.#orders.delete(ended[0]);
  }
}

function nothing({ id }: PostedOrder) {
  return { kind: 'taken', id, makingMicros: 0n, takingMicros: 0n, transactionHash: null } as const;
}

/** Returns what rests of an order, in 1e-6 shares. */
export function leftOf({ order, matchedMicros }: OpenOrder): bigint {
  return usdAndShares(order).shares - matchedMicros;
}

/** Whoever sends orders is a wallet of the tape like the others. */
function walletOf(address: string): VenueWallet {
  return { address: address as WalletAddress, name: '', pseudonym: '', style: 'noise', clipUsd: 0, weight: 0 };
}
