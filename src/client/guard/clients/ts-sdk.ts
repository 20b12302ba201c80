import { asObject } from '#domain/json';
import type { GuardedOrder } from '../order.js';
import { callOn, copyOf, mostUsd, positive, sideOf, worstPrice } from './members.js';
import type { GuardedClient, OrderCall } from './order-call.js';
import { signedCall } from './signed-call.js';
import { readVenueAnswer, refusalOf } from './venue-answer.js';

/**
 * `@polymarket/client`: its order methods as the guard sees them. An order is signed and then posted
 * once; what its own methods do beside that, an approval and a second POST where an allowance is too
 * small, is left to the owner.
 */
export function tsSdk(client: object): GuardedClient {
  const post = (signed: unknown) => callOn(client, 'postOrder', [signed]);
  const signedBy = (method: string, signed: unknown) => {
    const { orderType, postOnly } = copyOf(signed);
    return signedCall({ method, signed, orderType, postOnly }, post);
  };
  return {
    single: {
      placeMarketOrder: (request) => marketCall(client, request, post),
      placeLimitOrder: (request) => limitCall(client, request, post),
      postOrder: (signed) => signedBy('postOrder', signed),
    },
    batch: {
      method: 'postOrders',
      calls: ([orders]) => (Array.isArray(orders) ? orders.map((signed) => signedBy('postOrders', signed)) : []),
      post: ([orders], kept) => callOn(client, 'postOrders', [kept.map((at) => (orders as readonly unknown[])[at])]),
    },
    cancels: ['cancelOrder', 'cancelOrders', 'cancelAll', 'cancelMarketOrders'],
    unguarded: ['openRfqSession', 'openPerpsSession', 'depositToPerps'],
    throwsErrors: () => true,
    refusedAnswer: (rule, text, status) => ({ ok: false, code: status, message: text, rule }),
    read: readVenueAnswer,
    readError: (error) => {
      const { status, message, name } = asObject(error) ?? {};
      // 429: the request was not taken.
      const code = name === 'RateLimitError' ? 429 : status;
      return refusalOf(code, typeof message === 'string' ? message : String(error));
    },
  };
}

function marketCall(client: object, request: unknown, post: OrderCall['post']): OrderCall {
  const written = copyOf(request);
  const side = sideOf(written.side);
  const isBuy = side === 'BUY';
  const order: GuardedOrder = {
    method: 'placeMarketOrder',
    tokenId: String(written.tokenId),
    side,
    usd: isBuy ? (positive(written.amount) ?? 0) : null,
    shares: isBuy ? null : positive(written.shares),
    price: worstPrice(isBuy ? written.maxPrice : written.minPrice, side),
    orderType: String(written.orderType ?? 'FAK'),
    isSigned: false,
  };
  const { maxSpend, ...others } = written;
  const estimated = { tokenId: order.tokenId, side, shares: order.shares, orderType: order.orderType };
  return {
    order,
    isPostOnly: false,
    balanceUsd: isBuy ? mostUsd(maxSpend) : null,
    estimatePrice: async () => Number(await callOn(client, 'estimateMarketPrice', [estimated])),
    signPlanned: ({ amount, price }) => {
      const planned = isBuy ? { amount, maxPrice: price } : { shares: amount, minPrice: price };
      return callOn(client, 'createMarketOrder', [{ ...others, ...planned }]);
    },
    signAsWritten: () => callOn(client, 'createMarketOrder', [copyOf(request)]),
    post,
    callThrough: () => callOn(client, 'placeMarketOrder', [copyOf(request)]),
  };
}

function limitCall(client: object, request: unknown, post: OrderCall['post']): OrderCall {
  const written = copyOf(request);
  const price = positive(written.price);
  const signAsWritten = () => callOn(client, 'createLimitOrder', [copyOf(request)]);
  return {
    order: {
      method: 'placeLimitOrder',
      tokenId: String(written.tokenId),
      side: sideOf(written.side),
      usd: null,
      shares: positive(written.size),
      price,
      orderType: written.expiration === undefined ? 'GTC' : 'GTD',
      isSigned: false,
    },
    isPostOnly: written.postOnly === true,
    balanceUsd: null,
    estimatePrice: async () => price ?? 0,
    signPlanned: signAsWritten,
    signAsWritten,
    post,
    callThrough: () => callOn(client, 'placeLimitOrder', [copyOf(request)]),
  };
}
