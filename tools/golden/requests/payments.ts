import type { PrivateKeyAccount } from 'viem/accounts';
import { get, request } from '../exchange.js';
import { NOW_S, PAYERS } from '../money.js';
import { sign, type Terms, TRADE, v1Header, v2Header } from '../payments.js';
import type { Recording } from '../recording.js';
import { WALLETS } from '../wallets.js';

const ORDER = `${TRADE.path}?slug=golden-simple&outcome=Yes&usd=50`;
const PACK: Terms = { path: '/api/credits', amount: '5000000' };
const COPY: Terms = { path: '/api/preflight_copy', amount: '100000' };

/** Payments by x402 in both versions, good and bad; those that have to wait come last. */
export async function askPayments(recording: Recording): Promise<void> {
  await askGood(recording);
  await askWrong(recording);
  await askPack(recording);
  await askWallets(recording);
  await askTroubled(recording);
}

async function askGood(recording: Recording): Promise<void> {
  for (const version of ['v1', 'v2'] as const) {
    const payload = await sign(PAYERS.good, TRADE);
    const header = version === 'v1' ? v1Header(payload) : v2Header(payload, TRADE);
    await recording.ask(`paid by ${version}`, get(ORDER, header));
    await recording.ask(`paid by ${version}, again`, get(ORDER, header));
    await recording.ask(`paid by ${version}, for another order`, get(`${ORDER}0`, header));
    await recording.ask(`paid by ${version}, sandbox`, get(`${ORDER}&sandbox=1`, header));
    await recording.ask(`paid by ${version}, probe`, get(`${ORDER}&x402_probe=1`, header));
  }
  for (const what of ['usd=0', 'slug=golden-nowhere', 'slug=golden-book-down&outcome=Yes']) {
    const payload = await sign(PAYERS.good, TRADE);
    await recording.ask(`paid for ?${what}`, get(`${TRADE.path}?${what}`, v2Header(payload, TRADE)));
  }
  for (const tool of ['leaderboard', 'red_list']) {
    const terms = { path: `/api/${tool}`, amount: '20000' };
    await recording.ask(`paid for ${tool}`, get(terms.path, v2Header(await sign(PAYERS.good, terms), terms)));
  }
  const both = await sign(PAYERS.good, TRADE);
  await recording.ask('paid by both headers', get(ORDER, { ...v1Header(both), ...v2Header(both, TRADE) }));
}

const WRONG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'to another payee': { to: `0x${'77'.repeat(20)}` },
  'too little': { value: '19999' },
  'too much': { value: '20001' },
  expired: { validBefore: String(NOW_S - 1) },
  'about to expire': { validBefore: String(NOW_S + 3) },
  'not yet valid': { validAfter: String(NOW_S + 1_000), validBefore: String(NOW_S + 2_000) },
};

async function askWrong(recording: Recording): Promise<void> {
  for (const [name, given] of Object.entries(WRONG)) {
    const payload = await sign(PAYERS.good, TRADE, given);
    await recording.ask(`payment ${name}, v1`, get(ORDER, v1Header(payload)));
    await recording.ask(`payment ${name}, v2`, get(ORDER, v2Header(payload, TRADE)));
  }
  const signed = await sign(PAYERS.good, TRADE);
  await recording.ask('payment with no signature', get(ORDER, v1Header({ ...signed, signature: '0x' })));
  const terms = { ...TRADE, path: '/api/leaderboard' };
  await recording.ask('payment for another resource', get(ORDER, v2Header(await sign(PAYERS.good, TRADE), terms)));
  for (const header of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
    for (const value of ['e30=', 'garbage', '%%%', 'bm90IGpzb24=', '']) {
      await recording.ask(`payment ${header}: ${value}`, get(ORDER, { [header]: value }));
    }
  }
  const refused: readonly (readonly [string, PrivateKeyAccount])[] = [
    ['of the poor', PAYERS.poor],
    ['rejected', PAYERS.rejected],
  ];
  for (const [name, payer] of refused) {
    const header = v2Header(await sign(payer, TRADE), TRADE);
    await recording.ask(`payment ${name}`, get(ORDER, header));
    await recording.ask(`payment ${name}, again`, get(ORDER, header));
  }
}

async function askPack(recording: Recording): Promise<void> {
  const header = v2Header(await sign(PAYERS.good, PACK), PACK);
  const keyed = { ...v2Header(await sign(PAYERS.good, PACK), PACK), 'Idempotency-Key': 'golden-pack-with-a-key' };
  await recording.ask('pack', request('POST', PACK.path, header));
  await recording.ask('pack again', request('POST', PACK.path, header));
  await recording.ask('pack with a key', request('POST', PACK.path, keyed));
  await recording.ask('pack with a key, again', request('POST', PACK.path, keyed));
  await recording.ask(
    'pack with a body',
    request('POST', PACK.path, { ...header, 'Content-Type': 'application/json' }, '{}'),
  );
  const cheap = { ...PACK, amount: '20000' };
  await recording.ask(
    'pack at the price of an order',
    request('POST', PACK.path, v2Header(await sign(PAYERS.good, cheap), cheap)),
  );
}

async function askWallets(recording: Recording): Promise<void> {
  for (const name of ['skilled', 'few', 'neverTraded'] as const) {
    const header = v2Header(await sign(PAYERS.good, COPY), COPY);
    await recording.ask(`paid for ${name}`, get(`${COPY.path}?wallet=${WALLETS[name]}`, header));
  }
}

/**
 * A facilitator that gives no answer, and a chain that does or does not; the last one waits for as
 * long as a request may.
 */
async function askTroubled(recording: Recording): Promise<void> {
  await recording.ask('paid, and the answer lost', get(ORDER, v2Header(await sign(PAYERS.lost, TRADE), TRADE)));
  await recording.ask('paid after that', get(ORDER, v2Header(await sign(PAYERS.good, TRADE), TRADE)));
  await recording.ask('cannot be verified', get(ORDER, v2Header(await sign(PAYERS.unverified, TRADE), TRADE)));
  await recording.ask('paid once more', get(ORDER, v2Header(await sign(PAYERS.good, TRADE), TRADE)));
  await recording.ask('settled by nobody', get(ORDER, v2Header(await sign(PAYERS.stuck, TRADE), TRADE)));
}
