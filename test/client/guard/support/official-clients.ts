import { createSecureClient, forkEnvironmentConfig, OrderSide, OrderType as SdkOrderType } from '@polymarket/client';
import { privateKey } from '@polymarket/client/viem';
import { Chain, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { CREDS } from './credentials.js';

/** What both official clients can do, in one form: the tests are about the guard, not about them. */
export interface OfficialOrders {
  /** `balanceUsd`: what its owner says they have. */
  buy(tokenId: string, usd: number, price?: number, balanceUsd?: number): Promise<unknown>;
  sell(tokenId: string, shares: number, price?: number): Promise<unknown>;
  limit(tokenId: string, side: 'BUY' | 'SELL', shares: number, price: number, postOnly?: boolean): Promise<unknown>;
  /** Signs a market BUY without sending it. */
  sign(tokenId: string, usd: number, price: number): Promise<unknown>;
  post(signed: unknown): Promise<unknown>;
  /** Signs a limit BUY without sending it. */
  signLimit(tokenId: string, shares: number, price: number, postOnly: boolean): Promise<unknown>;
  postLimit(signed: unknown, postOnly: boolean): Promise<unknown>;
  postAll(signed: readonly unknown[]): Promise<readonly unknown[]>;
  cancelAll(): Promise<unknown>;
}

/** One of the venue's own clients, in the version that is pinned. */
export interface OfficialClient {
  readonly name: string;
  /** Whether it throws what is refused. */
  readonly throws: boolean;
  make(url: string, key?: `0x${string}`): Promise<object>;
  ordersOf(client: object): OfficialOrders;
  /** What an answer says. */
  isAccepted(answer: unknown): boolean;
}

const KEY = `0x${'5e'.repeat(32)}` as const;
/** Whose orders they are. */
export const WALLET = privateKeyToAccount(KEY).address;

export function makeClob(
  url: string,
  key: `0x${string}` = KEY,
  options: { readonly throwOnError?: boolean; readonly retryOnError?: boolean } = {},
): ClobClient {
  const signer = createWalletClient({ account: privateKeyToAccount(key), chain: polygon, transport: http(url) });
  return new ClobClient({ host: url, chain: Chain.POLYGON, signer, creds: CREDS, ...options });
}

export const CLOB_CLIENT: OfficialClient = {
  name: '@polymarket/clob-client-v2',
  throws: false,
  make: async (url, key) => makeClob(url, key),
  ordersOf(given) {
    const client = given as ClobClient;
    const of = (tokenID: string, side: Side, amount: number, price?: number) => ({
      tokenID,
      side,
      amount,
      ...(price === undefined ? {} : { price }),
    });
    return {
      buy: (token, usd, price, balanceUsd) =>
        client.createAndPostMarketOrder({
          ...of(token, Side.BUY, usd, price),
          ...(balanceUsd === undefined ? {} : { userUSDCBalance: balanceUsd }),
        }),
      sell: (token, shares, price) => client.createAndPostMarketOrder(of(token, Side.SELL, shares, price)),
      limit: (tokenID, side, size, price, postOnly = false) =>
        client.createAndPostOrder({ tokenID, side: side as Side, size, price }, undefined, OrderType.GTC, postOnly),
      sign: (token, usd, price) => client.createMarketOrder(of(token, Side.BUY, usd, price)),
      post: (signed) => client.postOrder(signed as never, OrderType.FOK),
      signLimit: (tokenID, size, price) => client.createOrder({ tokenID, side: Side.BUY, size, price }),
      postLimit: (signed, postOnly) => client.postOrder(signed as never, OrderType.GTC, postOnly),
      postAll: (signed) =>
        client.postOrders(signed.map((order) => ({ order: order as never, orderType: OrderType.FOK }))),
      cancelAll: () => client.cancelAll(),
    };
  },
  isAccepted: (answer) => (answer as { readonly success?: boolean }).success === true,
};

type Sdk = Awaited<ReturnType<typeof createSecureClient>>;

export const TS_SDK: OfficialClient = {
  name: '@polymarket/client',
  throws: true,
  make: (url, key = KEY) => {
    const environment = forkEnvironmentConfig({
      name: 'local',
      clob: { rest: url },
      gamma: { rest: url },
      data: { rest: url },
    });
    const wallet = privateKeyToAccount(key).address;
    return createSecureClient({ environment, wallet, signer: privateKey(key), credentials: CREDS as never });
  },
  ordersOf(given) {
    const client = given as Sdk;
    const orderType = SdkOrderType.FOK as const;
    const request = (tokenId: string, amount: number, maxPrice?: number) =>
      ({ tokenId, side: OrderSide.BUY, amount, orderType, ...(maxPrice === undefined ? {} : { maxPrice }) }) as const;
    return {
      buy: (token, usd, price, balanceUsd) =>
        client.placeMarketOrder({
          ...request(token, usd, price),
          ...(balanceUsd === undefined ? {} : { maxSpend: balanceUsd }),
        }),
      sell: (tokenId, shares, minPrice) =>
        client.placeMarketOrder({
          tokenId,
          side: OrderSide.SELL,
          shares,
          orderType,
          ...(minPrice === undefined ? {} : { minPrice }),
        }),
      limit: (tokenId, side, size, price, postOnly = false) =>
        client.placeLimitOrder({ tokenId, side: side as OrderSide, size, price, postOnly }),
      sign: (token, usd, price) => client.createMarketOrder(request(token, usd, price)),
      post: (signed) => client.postOrder(signed as never),
      signLimit: (tokenId, size, price, postOnly) =>
        client.createLimitOrder({ tokenId, side: OrderSide.BUY, size, price, postOnly }),
      postLimit: (signed) => client.postOrder(signed as never),
      postAll: (signed) => client.postOrders(signed as never),
      cancelAll: () => client.cancelAll(),
    };
  },
  isAccepted: (answer) => (answer as { readonly ok?: boolean }).ok === true,
};

export const OFFICIAL_CLIENTS = [CLOB_CLIENT, TS_SDK];
