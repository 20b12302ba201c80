import { get, postJson, request } from '../exchange.js';
import { MARKETS } from '../markets.js';
import type { Recording } from '../recording.js';

const PATH = '/api/preflight_trade';

const REFUSED = [
  '',
  'usd=10',
  'slug=a&token_id=1',
  'slug=',
  `slug=${'a'.repeat(513)}`,
  'slug=a&slug=b',
  'slug=a&outcome=',
  'token_id=abc',
  'slug=a&side=buy',
  'slug=a&usd=0',
  'slug=a&usd=1e309',
  'slug=a&usd=abc',
  'slug=a&usd=10000000.01',
  'slug=a&max_slippage_c=-1',
  'slug=a&veto_slippage_c=0.5',
  'slug=a&max_book_age_s=0',
  'slug=a&size=5',
  'slug=a&__proto__=1',
  'slug=a&usd=0&side=x&b=1&c=1&d=1&e=1',
  'sandbox=2',
  'sandbox=true',
  'x402_probe=yes',
];

const JUDGED = [
  ...MARKETS.map(({ slug }) => `slug=${slug}&outcome=Yes`),
  ...MARKETS.map(({ slug }) => `slug=${slug}&outcome=No&side=SELL&usd=37.5`),
  'slug=golden-simple',
  'slug=golden-simple&outcome=maybe',
  'slug=golden-simple&outcome=yes&usd=399',
  'slug=golden-simple&outcome=Yes&usd=401',
  'slug=golden-simple&outcome=Yes&usd=2500',
  'slug=golden-simple&outcome=Yes&usd=9999999',
  'slug=golden-simple&outcome=Yes&usd=0.01',
  'slug=golden-simple&outcome=Yes&usd=2500&max_slippage_c=50&veto_slippage_c=60',
  'slug=golden-simple&outcome=Yes&usd=900&max_slippage_c=0&veto_slippage_c=0',
  'slug=golden-stale&outcome=Yes&max_book_age_s=86400',
  'slug=golden-stale&outcome=Yes&max_book_age_s=1',
  'token_id=111',
  'token_id=112&side=SELL',
  'token_id=999999',
  'token_id=161',
  'slug=golden-election',
  'slug=golden-election&outcome=Bob%20Carver',
  'slug=golden-election&outcome=bob',
  'slug=golden-election&outcome=Ali',
  'slug=golden-election&outcome=Carl',
  'slug=golden-election&outcome=Zo%C3%AB&side=SELL',
  'slug=golden-election-bob-carver&outcome=Yes',
  'slug=https%3A%2F%2Fpolymarket.com%2Fevent%2Fgolden-election&outcome=Alice',
  'slug=https%3A%2F%2Fpolymarket.com%2Fevent%2Fgolden-election%2Fgolden-election-bob-carver&outcome=No',
  'slug=https%3A%2F%2Fexample.org%2Fevent%2Fgolden-election',
  'slug=golden-nowhere',
  'slug=golden-gamma-down',
];

/** Orders: free, unpaid, wrong, and judged on every book with a token. */
export async function askOrders(recording: Recording, token: string): Promise<void> {
  const bearer = { Authorization: `Bearer ${token}` };
  for (const query of [
    'sandbox=1',
    'sandbox=1&usd=-1&foo=bar',
    'x402_probe=1',
    'slug=golden-simple',
    'usd=-1&foo=bar',
  ]) {
    await recording.ask(`order unpaid ?${query}`, get(`${PATH}?${query}`));
    await recording.ask(`order unpaid HEAD ?${query}`, request('HEAD', `${PATH}?${query}`));
  }
  await recording.ask('order probe with a token', get(`${PATH}?x402_probe=1`, bearer));
  for (const credentials of ['Bearer tk_x', 'Bearer', 'Basic eDp5', '']) {
    await recording.ask(`order with "${credentials}"`, get(`${PATH}?slug=a`, { Authorization: credentials }));
  }
  for (const query of REFUSED)
    await recording.ask(`order refused ?${query.slice(0, 60)}`, get(`${PATH}?${query}`, bearer));
  for (const query of JUDGED) await recording.ask(`order judged ?${query}`, get(`${PATH}?${query}`, bearer));
  const bodies = [
    { slug: 'golden-simple', outcome: 'Yes', usd: 25, side: 'SELL' },
    { token_id: '121', usd: 2 },
    { slug: 'golden-simple', usd: null },
    { slug: { $ne: 1 } },
    { token_id: 12 },
    {},
    { sandbox: 1 },
    { sandbox: 2 },
    { x402_probe: '1' },
  ];
  for (const body of bodies) {
    await recording.ask(`order by POST ${JSON.stringify(body)}`, postJson(PATH, body, bearer));
    await recording.ask(`order by POST unpaid ${JSON.stringify(body)}`, postJson(PATH, body));
  }
  await recording.ask('order by POST with a query', postJson(`${PATH}?usd=5`, { slug: 'a' }, bearer));
  await recording.ask('order by POST without a body', request('POST', PATH, bearer));
  await askTwice(recording, bearer);
}

/** Idempotency keys of the credits lane. */
async function askTwice(recording: Recording, bearer: Record<string, string>): Promise<void> {
  const order = `${PATH}?slug=golden-simple&outcome=Yes&usd=77`;
  const keyed = { ...bearer, 'Idempotency-Key': 'golden-1' };
  await recording.ask('key first', get(order, keyed));
  await recording.ask('key again', get(order, keyed));
  await recording.ask('key for another order', get(`${order}7`, keyed));
  await recording.ask('key empty', get(order, { ...bearer, 'Idempotency-Key': '' }));
  await recording.ask('key too long', get(order, { ...bearer, 'Idempotency-Key': 'k'.repeat(300) }));
}
