import { get, postJson, request } from '../exchange.js';
import { jsonOf, type Recording } from '../recording.js';
import { WALLETS } from '../wallets.js';

const OWNER = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const THIRD = `0x${'33'.repeat(20)}`;

/**
 * Makes the promotional codes, redeems one and returns the token that pays for the rest of the
 * recording.
 */
export async function openCredits(recording: Recording): Promise<string> {
  await recording.command(
    'promo create',
    'admin promo create --code golden --credits 1000 --wallets 1 --days 30 --json',
  );
  await recording.command('promo create, text', 'admin promo create --code REVOKED --credits 5 --wallets 9 --days 1');
  await recording.command('promo create, twice', 'admin promo create --code golden --credits 5 --wallets 9 --days 1');
  await recording.command('promo revoke', 'admin promo revoke --code REVOKED --yes');
  const redeemed = await recording.ask('redeem', postJson('/api/redeem', { code: 'Golden', wallet: OWNER }));
  return jsonOf<{ token: string }>(redeemed).token;
}

/** Codes, balances and tokens. */
export async function askCredits(recording: Recording, token: string): Promise<void> {
  const redeem: readonly object[] = [
    { code: 'GOLDEN', wallet: OWNER },
    { code: 'GOLDEN', wallet: OTHER },
    { code: 'REVOKED', wallet: OTHER },
    { code: 'NOBODY', wallet: OTHER },
    { code: 'GOLDEN' },
    { wallet: OTHER },
    { code: 'GOLDEN', wallet: '0x12' },
    { code: 7, wallet: OTHER },
    { code: 'GOLDEN', wallet: OTHER, more: 1 },
    {},
  ];
  for (const body of redeem) await recording.ask(`redeem ${JSON.stringify(body)}`, postJson('/api/redeem', body));
  await recording.ask('credits', get('/api/credits'));
  await recording.ask('credits with a wrong token', get('/api/credits', { Authorization: 'Bearer tk_nobody' }));
  await recording.ask('credits with a token', get('/api/credits', { Authorization: `Bearer ${token}` }));
  await recording.ask(
    'credits with an unknown parameter',
    get('/api/credits?foo=1', { Authorization: `Bearer ${token}` }),
  );
  await recording.ask('credits bought without payment', request('POST', '/api/credits'));
  await recording.ask(
    'credits bought with a token',
    request('POST', '/api/credits', { Authorization: `Bearer ${token}` }),
  );
  await askPoor(recording);
  await askOperator(recording);
}

/** A token with three credits: enough for three orders, never for a wallet. */
async function askPoor(recording: Recording): Promise<void> {
  const granted = await recording.command(
    'credits grant',
    `admin credits grant --wallet ${THIRD} --credits 3 --days 5 --json`,
  );
  const bearer = { Authorization: `Bearer ${(JSON.parse(granted.stdout) as { token: string }).token}` };
  const order = get('/api/preflight_trade?slug=golden-simple&outcome=Yes&usd=5', bearer);
  await recording.ask('poor, a wallet', get(`/api/preflight_copy?wallet=0x${'a1'.repeat(20)}`, bearer));
  for (const n of [1, 2, 3, 4]) await recording.ask(`poor, order ${n}`, order);
  await recording.ask('poor, balance', get('/api/credits', bearer));
  await recording.command('tokens revoke', `admin tokens revoke --wallet ${THIRD} --yes`);
  await recording.ask('revoked, order', order);
  await recording.ask('revoked, balance', get('/api/credits', bearer));
}

async function askOperator(recording: Recording): Promise<void> {
  await recording.command('credits grant, text', `admin credits grant --wallet ${OTHER} --credits 7 --note thanks`);
  await recording.command('credits revoke', `admin credits revoke --wallet ${OTHER} --all --yes --json`);
  await recording.command('promo list', 'admin promo list');
  await recording.command('promo list, json', 'admin promo list --json');
  await recording.command('wrong wallet', 'admin credits grant --wallet 0x12 --credits 5');
  await recording.command('wrong command', 'admin promo lost');
  for (const help of ['', 'admin', 'tape', 'ratings']) {
    await recording.command(`help ${help}`, `${help} --help`.trimStart());
  }
  await recording.command('ratings show', `ratings show ${WALLETS.skilled} --json`);
}
