import { expect } from 'chai';
import type { Command } from 'commander';
import { addAdminCommands } from '#cli/admin/admin';
import { addRatingsCommands } from '#cli/ratings/ratings';
import { openCredits } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import { parseWallet } from '#domain/ids';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { bearerOf, request } from '#test/server/services/support/credits-home';
import { rowsOf } from '#test/support/operate-page';
import { publishSampleBoard, RATED_WALLET } from '#test/support/rated-data-dir';
import { runCommandHere } from '../support/run-here.js';

const WALLET = parseWallet(RATED_WALLET)!;
const OTHER = walletNumber(0xdef);
const HASH = `0x${'7a'.repeat(32)}`;
const REQUEST_ID = 'a1b2c3d4e5f6a1b2c3d4e5f6';
const COLUMNS_MAX = 100;
const DAY_MS = 86_400_000;
const [TODAY, TOMORROW] = [0, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10)) as [
  string,
  string,
];

/**
 * What the answer to each question of the page has to say, in the words of a person who reads it.
 */
const ANSWERS: Readonly<Record<string, readonly (RegExp | string)[]>> = {
  'Why was this wallet charged on Tuesday?': [new RegExp(`debit +1 +504 +preflight_trade +${REQUEST_ID}`)],
  'Is this transaction ours, what was bought with it, and what was answered?': [
    /^state +SETTLED$/m,
    /^operation +preflight_trade$/m,
    /^usdc +0\.02$/m,
    /^body +\{"ok":true\}$/m,
    WALLET,
  ],
  'Who redeemed SPRING?': [WALLET, OTHER],
  'What does this wallet have, from where, until when, with which tokens, and what did it pay last?': [
    `${WALLET}: balance 504`,
    /^grant +499\/500 /m,
    /^promo +5\/5 .* SPRING$/m,
    /^purchase +20/m,
    /SETTLED +0\.02 +preflight_trade/,
  ],
  'What did this wallet pay for on the chain?': [/SETTLED +0\.02 +preflight_trade/],
  'Which payments are not settled yet?': [/SETTLING +0\.02 +preflight_trade/, OTHER],
  'What was paid on the 14th?': [/SETTLED +0\.02/, /SETTLING +0\.02/],
  'What came in in July, by which tool and lane?': [
    /x402 +preflight_trade +1 +0\.02 +0$/m,
    /credits +preflight_trade +1 +0\.00 +1$/m,
    '0.02 USDC came in, 1 credits were used',
  ],
  'Which codes are there, how often was each redeemed, and which still hold?': [/^SPRING +\S+ +5 +2\/9 +20/m],
  'May this payment be given back, and what would its payer get?': [`this would give 2 credits to ${WALLET}`],
  'How is this wallet rated, since when, and why?': [
    new RegExp(`^${WALLET}.*: COPY, `, 'm'),
    /as of 20.*board in force/,
  ],
  'With which key is evidence signed, and since when?': [/^\S+ +current +20/m],
  'Does everything in the store add up?': [/^payments +2$/m, 'no fault was found'],
};

describe('questions that an operator is asked', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  const questions = rowsOf('Questions about money');

  before(async () => {
    fixture = await makeLmdbFixture();
    const { credits, store } = openCredits(fixture.dataDir);
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 9, days: 1 });
    await credits.grant(WALLET, 500, 365, 'a gift');
    for (const wallet of [WALLET, OTHER]) await credits.redeem('SPRING', wallet);
    await credits.charge(request({ bearer: bearerOf(WALLET), requestId: REQUEST_ID }));
    const createdAtMs = Date.now();
    const settled = { state: 'SETTLED', open: false, transaction: HASH, body: '{"ok":true}', createdAtMs } as const;
    for (const payment of [samplePayment(1, settled, WALLET), samplePayment(2, { createdAtMs }, OTHER)]) {
      await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    }
    await store.close();
    openEvidence(fixture.dataDir).current();
    await publishSampleBoard(fixture.dataDir);
  });
  after(() => fixture.remove());

  /** The command of the page, about what is in this store and about today. */
  function meant(command: string): string {
    const dates = command.replace('2026-07-14', TODAY).replace('2026-07-15', TOMORROW);
    const months = dates.replace('2026-07-01', TODAY).replace('2026-08-01', TOMORROW);
    const named = months.replace('WALLET', WALLET).replace('HASH', HASH);
    return `${named.replaceAll('`', '').replace('preflightctl ', '')} --data-dir ${fixture.dataDir}`;
  }
  const ask = (command: string) =>
    runCommandHere((program: Command) => {
      addAdminCommands(program);
      addRatingsCommands(program);
    }, meant(command));

  it('are at least ten on the page, and those whose answers are known here', () => {
    expect(questions.length).to.be.at.least(10);
    expect(questions.map(([question]) => question)).to.have.members(Object.keys(ANSWERS));
  });

  for (const [question, command] of questions) {
    it(`${question}: one command answers it, for people and for scripts`, async () => {
      const { exitCode, stdout, stderr } = await ask(command!);
      expect([exitCode, stderr], stdout).to.deep.equal([0, '']);
      for (const part of ANSWERS[question!]!) {
        if (typeof part === 'string') expect(stdout).to.include(part);
        else expect(stdout).to.match(part);
      }
      const tooLong = stdout.split('\n').filter((line) => line.length > COLUMNS_MAX);
      // A body is printed as it is.
      expect(tooLong.filter((line) => !line.startsWith('body'))).to.deep.equal([]);
      const forScripts = await ask(`${command} --json`);
      expect(JSON.parse(forScripts.stdout)).to.include({ ok: true });
    });
  }

  it('about another day and another wallet have other answers', async () => {
    const before = await ask('`preflightctl admin ledger WALLET --to 2026-07-14`');
    expect(before.stdout).to.equal('no entries\n');
    const newest = await ask('`preflightctl admin ledger WALLET --from 2026-07-14 --limit 1 --json`');
    expect(JSON.parse(newest.stdout).entries).to.have.length(1).and.to.have.nested.property('[0].kind', 'debit');
    expect((await ask(`preflightctl admin payments show 0x${'00'.repeat(32)}`)).exitCode).to.equal(1);
  });
});
