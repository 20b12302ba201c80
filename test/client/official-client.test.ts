import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import { expect } from 'chai';
import { type TypedDataToSign, usdText } from '#client/index';
import type { newAccount } from '#test/support/signed-payments';
import { ROOT } from '#test/support/source-tree';
import { HONEST_PAYEE, type HostileServer, startHostileServer, THIEF, type Trick } from './support/hostile-server.js';
import { CATEGORIES, type NamedTrick, OTHERS } from './support/tricks.js';
import { watchedAccount } from './support/watched-account.js';

const DEADLINE_MS = 2_000;
const TRADE = '/api/preflight_trade?usd=25';

/**
 * What is played for the official client, and how this client ends it
 * (test/client/hostile.test.ts).
 */
interface Round {
  readonly name: string;
  readonly ends: string;
  readonly signs: string;
  readonly trick: Trick;
  /** What is asked, one after the other. */
  readonly requested: readonly string[];
}

/** The first is honest: from then on /llms.txt and the demands name another payee. */
const OTHER_PAYEE: Trick = {
  llms: (text, n) => (n === 0 ? text : text.replaceAll(HONEST_PAYEE, THIEF)),
  accepts: (entry, n) => [n === 0 ? entry : { ...entry, payTo: THIEF }],
};
const NINE_PARTS = Array.from({ length: 9 }, (_, n) => `/api/preflight_trade?usd=${n + 1}`);

const roundOf = (trick: NamedTrick): Round => ({
  name: trick.name,
  ends: trick.ends,
  signs: trick.signatures === 0 ? 'nothing' : '0.02 USD to the payee',
  trick,
  requested: [TRADE],
});

const ROUNDS: readonly Round[] = [
  ...CATEGORIES.map(roundOf),
  {
    name: 'budget_split: nine calls, 0.10 USD a day',
    ends: 'daily_cap',
    signs: '5 × 0.02 USD to the payee',
    trick: {},
    requested: NINE_PARTS,
  },
  { name: 'ghost_paywall', ends: 'amount_not_published', signs: 'nothing', trick: {}, requested: ['/status.json'] },
  ...OTHERS.map(roundOf),
  {
    name: '/llms.txt that changes its payee',
    ends: 'payee_changed',
    signs: '0.02 USD to the payee',
    trick: OTHER_PAYEE,
    requested: [TRADE, '/api/preflight_trade?usd=2'],
  },
];

/** What a signature gives away, in words. */
function worthOf({ domain, message }: TypedDataToSign): string {
  const { to, value, validBefore } = message;
  const usdc = /^0x833589fcd6/i.test(domain.verifyingContract) && domain.chainId === 8453;
  const whom = to.toLowerCase() === HONEST_PAYEE ? 'the payee' : to === THIEF ? 'a thief' : to;
  const days = Math.round((Number(validBefore) - Date.now() / 1e3) / 86_400);
  const amount = usdc ? usdText(value) : `${value} of another token`;
  const odd = [
    ...(days > 0 ? [`open for ${days} days`] : []),
    ...(domain.name === 'USD Coin' ? [] : [`in the domain of ${domain.name}`]),
  ];
  return [`${amount} to ${whom}`, ...odd].join(', ');
}

function textOf(signed: readonly TypedDataToSign[]): string {
  const worths = signed.map(worthOf);
  const times = (worth: string) => worths.filter((each) => each === worth).length;
  const texts = [...new Set(worths)].map((worth) => (times(worth) === 1 ? worth : `${times(worth)} × ${worth}`));
  return texts.join('; ') || 'nothing';
}

describe('the tricks against payers, played on the official client', function () {
  this.timeout(60_000);
  let server: HostileServer | undefined;
  afterEach(() => server?.close());

  /** With its own spend controls: at most 0.10 USD a payment, and default assets alone. */
  async function signedBy({ trick, requested }: Round): Promise<readonly TypedDataToSign[]> {
    server = await startHostileServer(trick, 'v2');
    const { account, signed } = watchedAccount();
    const official = new x402Client()
      .register('eip155:8453', new ExactEvmScheme(account as ReturnType<typeof newAccount>))
      .setSpendControls({ maxAmountPerPayment: '$0.10' });
    for (const path of requested) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      await wrapFetchWithPayment(fetch, official)(server.url + path, { signal }).then(
        (answer) => void answer.body?.cancel(),
        () => {},
      );
    }
    await server.close();
    return signed;
  }

  it('are in docs/client.md with what it signed, beside how this client ends them', async () => {
    const rows: string[] = [];
    for (const round of ROUNDS) {
      rows.push(`| ${round.name} | \`${round.ends}\` | ${round.signs} | ${textOf(await signedBy(round))} |`);
    }
    console.log(rows.join('\n'));
    const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
    const [, table = ''] = /^\| Trick \| .*\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    expect(table.trim().split('\n')).to.deep.equal(rows);
  });
});
