import { createHash } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { leftOf, type OpenOrder, type OrderDesk, type OrderFill, type Placed } from '../../orders/order-desk.js';
import { readPosted, usdAndShares } from '../../orders/posted-order.js';
import { queryText } from '../query.js';

/** Most orders in one `POST /orders`. */
const BATCH_MAX = 15;
/** The venue's mark for the last page. */
const LAST_PAGE = 'LTE=';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The CLOB's interface for those who trade: API keys, orders, cancels, what is open and what was
 * filled. Keys are checked for their form alone; orders are by their signatures.
 */
export function orderRoutes(desk: OrderDesk): Router {
  const router = express.Router();
  const json = express.json({ limit: '200kb', strict: false });
  router.get('/version', (_, response) => void response.json({ version: 2 }));
  router.post('/auth/api-key', (request, response) => void response.json(credentialsOf(addressIn(request))));
  router.get('/auth/derive-api-key', (request, response) => void response.json(credentialsOf(addressIn(request))));
  router.get('/auth/api-keys', (request, response) => void response.json({ apiKeys: [keyIn(request)] }));
  router.get('/auth/ban-status/closed-only', (_, response) => void response.json({ closed_only: false }));
  router.get('/balance-allowance', (_, response) => void response.json({ balance: '1000000000000', allowances: {} }));

  const withKey =
    (answer: (request: Request, response: Response) => unknown) =>
    (request: Request, response: Response): void => {
      if (UUID.test(keyIn(request))) void answer(request, response);
      else response.status(401).json({ error: 'Unauthorized/Invalid api key' });
    };
  router.post(
    '/order',
    json,
    withKey(async (request, response) => {
      const placed = await place(desk, request.body, keyIn(request));
      if (placed.kind === 'refused') response.status(placed.status).json({ error: placed.error });
      else response.json(answerOf(placed));
    }),
  );
  router.post(
    '/orders',
    json,
    withKey(async (request, response) => {
      const legs: unknown = request.body;
      if (!Array.isArray(legs)) return void response.status(400).json({ error: 'Invalid order payload' });
      if (legs.length > BATCH_MAX) {
        const error = `Too many orders in payload: ${legs.length}, max allowed: ${BATCH_MAX}`;
        return void response.status(400).json({ error });
      }
      const placed: Placed[] = [];
      for (const leg of legs) placed.push(await place(desk, leg, keyIn(request)));
      response.json(placed.map(answerOf));
    }),
  );

  const cancel = (response: Response, ids: readonly string[]) => {
    const canceled = desk.cancel(ids);
    const missing = ids.filter((id) => !canceled.includes(id));
    response.json({
      canceled,
      not_canceled: Object.fromEntries(missing.map((id) => [id, "order can't be found - already canceled or matched"])),
    });
  };
  router.delete(
    '/order',
    json,
    withKey((request, response) => cancel(response, [String(request.body?.orderID)])),
  );
  router.delete(
    '/orders',
    json,
    withKey((request, response) => cancel(response, Array.isArray(request.body) ? request.body.map(String) : [])),
  );
  router.delete(
    '/cancel-all',
    withKey((request, response) => cancel(response, idsOf(ownedBy(desk, request)))),
  );
  router.delete(
    '/cancel-market-orders',
    json,
    withKey((request, response) => {
      const { market, asset_id: token } = (request.body ?? {}) as { market?: string; asset_id?: string };
      cancel(response, idsOf(ownedBy(desk, request).filter((open) => isOf(open, market, token))));
    }),
  );
  router.get(
    '/data/orders',
    withKey((request, response) => {
      const [market, token, id] = ['market', 'asset_id', 'id'].map((name) => queryText(request, name));
      const open = ownedBy(desk, request).filter(
        (one) => isOf(one, market, token) && (id === undefined || one.order.id === id),
      );
      response.json(pageOf(open.map(openJson)));
    }),
  );
  router.get(
    '/data/order/:id',
    withKey((request, response) => {
      const found = desk.order(String(request.params.id));
      response.json(found === undefined ? null : openJson(found));
    }),
  );
  router.get(
    '/data/trades',
    withKey((request, response) => {
      const address = addressIn(request);
      const fills = desk.fills.filter(({ order }) => order.maker === address || order.signer === address);
      response.json(pageOf(fills.map(tradeJson).toReversed()));
    }),
  );
  return router;
}

async function place(desk: OrderDesk, body: unknown, key: string): Promise<Placed> {
  const posted = readPosted(body);
  if (posted === null) return { kind: 'refused', status: 400, error: 'Invalid order payload' };
  if (posted.owner !== key) {
    return { kind: 'refused', status: 400, error: 'the order owner has to be the owner of the API KEY' };
  }
  return desk.place(posted);
}

/** Of a batch a refused leg is a success without an order. */
function answerOf(placed: Placed) {
  const none = { makingAmount: '', takingAmount: '', tradeIDs: [], transactionsHashes: [] as string[] };
  if (placed.kind === 'refused') return { success: true, errorMsg: placed.error, orderID: '', status: '', ...none };
  const { id, status, makingMicros, takingMicros, transactionHash } = placed;
  return {
    success: true,
    errorMsg: '',
    orderID: id,
    status,
    ...none,
    ...(transactionHash === null
      ? {}
      : {
          makingAmount: amountText(makingMicros),
          takingAmount: amountText(takingMicros),
          transactionsHashes: [transactionHash],
        }),
  };
}

function ownedBy(desk: OrderDesk, request: Request): readonly OpenOrder[] {
  const address = addressIn(request);
  return desk.open().filter(({ order }) => order.signer === address || order.maker === address);
}

function isOf({ market, order }: OpenOrder, condition: string | undefined, token: string | undefined): boolean {
  const isMarket = condition === undefined || condition === '' || market.ids.conditionId === condition;
  return isMarket && (token === undefined || token === '' || order.tokenId === token);
}

const idsOf = (open: readonly OpenOrder[]) => open.map(({ order }) => order.id);
const pageOf = (data: readonly unknown[]) => ({ limit: 500, count: data.length, next_cursor: LAST_PAGE, data });

function openJson(open: OpenOrder) {
  const { order, market, createdAtMs, matchedMicros, status } = open;
  const { usd, shares } = usdAndShares(order);
  return {
    id: order.id,
    status,
    owner: order.owner,
    maker_address: order.maker,
    market: market.ids.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    original_size: amountText(matchedMicros + leftOf(open)),
    size_matched: amountText(matchedMicros),
    price: String(Number(usd) / Number(shares)),
    associate_trades: [],
    outcome: market.spec.outcomes[market.outcomeOf(order.tokenId)],
    created_at: Math.floor(createdAtMs / 1_000),
    expiration: String(order.expirationS),
    order_type: order.orderType,
  };
}

function tradeJson({ order, market, usdMicros, sharesMicros, atMs, transactionHash, isTaker }: OrderFill) {
  const atS = String(Math.floor(atMs / 1_000));
  return {
    id: createHash('sha256').update(`${order.id} ${transactionHash}`).digest('hex').slice(0, 32),
    taker_order_id: isTaker ? order.id : '',
    market: market.ids.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    size: amountText(sharesMicros),
    fee_rate_bps: '0',
    price: String(Number(usdMicros) / Number(sharesMicros)),
    status: 'CONFIRMED',
    match_time: atS,
    last_update: atS,
    outcome: market.spec.outcomes[market.outcomeOf(order.tokenId)],
    bucket_index: 0,
    owner: order.owner,
    maker_address: order.maker,
    maker_orders: [],
    transaction_hash: transactionHash,
    trader_side: isTaker ? 'TAKER' : 'MAKER',
  };
}

/** The same address gets the same key each time. */
function credentialsOf(address: string) {
  const digest = createHash('sha256').update(`simulated key of ${address}`).digest('hex');
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { apiKey: uuid, secret: Buffer.from(digest.slice(0, 32)).toString('base64'), passphrase: digest.slice(32) };
}

function addressIn(request: Request): string {
  return String(request.headers.poly_address ?? '').toLowerCase();
}

function keyIn(request: Request): string {
  return String(request.headers.poly_api_key ?? '');
}

function amountText(micros: bigint): string {
  return String(Number(micros) / 1e6);
}
