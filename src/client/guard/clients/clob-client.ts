import { asObject } from '#domain/json';
import type { GuardedOrder, PlannedAmounts } from '../order.js';
import { callOn, copyOf, mostUsd, positive, sideOf, viewOf, worstPrice } from './members.js';
import type { GuardedClient, OrderCall } from './order-call.js';
import { signedCall } from './signed-call.js';
import { readVenueAnswer, refusalOf } from './venue-answer.js';

/**
 * `@polymarket/clob-client-v2`: its order methods as the guard sees them. A POST goes out once: the
 * client's own repetition (`retryOnError`) is off while an order is posted.
 */
export function clobClient(client: object): GuardedClient {
  const post = (signed: unknown, rest: readonly unknown[]) =>
    callOn(client, 'postOrder', [signed, ...rest], viewOf(client, { retryOnError: false }));
  return {
    single: {
      createAndPostMarketOrder: (userOrder, options, orderType = 'FOK', deferExec = false) =>
        marketCall(client, {
          userOrder,
          options,
          rest: [orderType, deferExec],
          post: (signed) => post(signed, [orderType, false, deferExec]),
        }),
      createAndPostOrder: (userOrder, options, orderType = 'GTC', postOnly = false, deferExec = false) =>
        limitCall(client, {
          userOrder,
          options,
          rest: [orderType, postOnly, deferExec],
          post: (signed) => post(signed, [orderType, postOnly, deferExec]),
        }),
      postOrder: (signed, orderType = 'GTC', postOnly = false, deferExec = false) =>
        signedCall({ method: 'postOrder', signed, orderType, postOnly }, (order) =>
          post(order, [orderType, postOnly, deferExec]),
        ),
    },
    batch: {
      method: 'postOrders',
      calls: ([legs, postOnly]) =>
        legsOf(legs).map((leg) => {
          const { order, orderType } = copyOf(leg);
          return signedCall({ method: 'postOrders', signed: order, orderType, postOnly }, () => neverAlone());
        }),
      post: ([legs, ...rest], kept) => {
        const all = legsOf(legs);
        const args = [kept.map((at) => all[at]), ...rest];
        return callOn(client, 'postOrders', args, viewOf(client, { retryOnError: false }));
      },
    },
    cancels: ['cancelOrder', 'cancelOrders', 'cancelAll', 'cancelMarketOrders'],
    unguarded: [],
    throwsErrors: () => Reflect.get(client, 'throwOnError', client) === true,
    refusedAnswer: (rule, text, status) => ({ success: false, error: text, errorMsg: text, status, rule }),
    read: readVenueAnswer,
    readError: (error) => {
      const { status, message } = asObject(error) ?? {};
      return refusalOf(status, typeof message === 'string' ? message : String(error));
    },
  };
}

interface Written {
  readonly userOrder: unknown;
  readonly options: unknown;
  /** What the method takes after these: the type of the order first, then post-only of a limit one. */
  readonly rest: readonly unknown[];
  post(signed: unknown): Promise<unknown>;
}

function marketCall(client: object, { userOrder, options, rest, post }: Written): OrderCall {
  const [orderType] = rest;
  const written = copyOf(userOrder);
  const [side, amount] = [sideOf(written.side), positive(written.amount)];
  const order: GuardedOrder = {
    method: 'createAndPostMarketOrder',
    tokenId: String(written.tokenID),
    side,
    usd: side === 'BUY' ? (amount ?? 0) : null,
    shares: side === 'SELL' ? amount : null,
    // Zero and NaN are no price for this client either.
    price: worstPrice(written.price || null, side),
    orderType: String(orderType),
    isSigned: false,
  };
  const { userUSDCBalance, ...others } = written;
  return {
    order,
    isPostOnly: false,
    balanceUsd: side === 'BUY' ? mostUsd(userUSDCBalance) : null,
    estimatePrice: async () =>
      Number(await callOn(client, 'calculateMarketPrice', [order.tokenId, side, amount, orderType])),
    signPlanned: (planned) =>
      callOn(
        client,
        'createMarketOrder',
        [
          { ...others, amount: planned.amount, price: planned.price, orderType },
          planned.tickSize === null ? options : { ...asObject(options), tickSize: planned.tickSize },
        ],
        planned.tickSize === null ? client : viewOf(client, { tickSizes: freshTick(client, order.tokenId, planned) }),
      ),
    signAsWritten: () => callOn(client, 'createMarketOrder', [copyOf(userOrder), options]),
    post,
    callThrough: () => callOn(client, 'createAndPostMarketOrder', [copyOf(userOrder), options, ...rest]),
  };
}

/** The client keeps the first price step that it sees of a market for ever; the plan has that of the book. */
function freshTick(client: object, tokenId: string, { tickSize }: PlannedAmounts): object {
  return { ...asObject(Reflect.get(client, 'tickSizes', client)), [tokenId]: tickSize };
}

function limitCall(client: object, { userOrder, options, rest, post }: Written): OrderCall {
  const [orderType, postOnly] = rest;
  const written = copyOf(userOrder);
  const [shares, price] = [positive(written.size), positive(written.price)];
  const order: GuardedOrder = {
    method: 'createAndPostOrder',
    tokenId: String(written.tokenID),
    side: sideOf(written.side),
    usd: null,
    shares,
    price,
    orderType: String(orderType),
    isSigned: false,
  };
  const signAsWritten = () => callOn(client, 'createOrder', [copyOf(userOrder), options]);
  return {
    order,
    isPostOnly: postOnly === true,
    balanceUsd: null,
    estimatePrice: async () => price ?? 0,
    signPlanned: signAsWritten,
    signAsWritten,
    post,
    callThrough: () => callOn(client, 'createAndPostOrder', [copyOf(userOrder), options, ...rest]),
  };
}

function legsOf(legs: unknown): readonly unknown[] {
  return Array.isArray(legs) ? legs : [];
}

function neverAlone(): Promise<never> {
  return Promise.reject(new Error('an order of several is posted with the others'));
}
