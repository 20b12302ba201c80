import { expect } from 'chai';
import { PRICES } from '#api/prices';
import { findPostgres } from '#local/postgres/find-postgres';
import { rollUnderLoad } from '#test/local/cluster/support/rolling';
import { needAnvil } from '#test/local/support/chain-harness';
import { until } from '#test/support/live-verdicts';
import { moneyOf } from '#test/support/local-money';
import { type LocalProcess, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { skipLoudly } from '#test/support/skipped';
import { PROCESS_START_MS } from '#test/support/time-limits';

const ROLLS = Number(process.env.PROVE_ROLLS ?? 10);

describe(`three replicas restarted one after the other, ${ROLLS} times, under load`, () => {
  let cluster: LocalProcess;

  before(async function () {
    needAnvil(this);
    const found = findPostgres();
    if (found.kind === 'absent') skipLoudly(this, found.why);
    cluster = await startLocalProcess({ script: 'dist/bundle/service/cluster.js', env: { WALLET_JOBS: 'auto' } });
  });
  after(() => cluster?.end('SIGTERM'));

  it('fail no call, charge each once, and settle no payment twice', async () => {
    const report = await rollUnderLoad({
      cluster,
      money: moneyOf(cluster),
      callers: { credits: 16, payers: 6 },
      rolls: ROLLS,
    });
    const { credits, payments } = report;
    process.stderr.write(
      `  rolling-restart: ${credits.answered} calls on credits, ${payments.answered} payments, ${report.comeAgain} told to come again\n`,
    );
    expect(report.wrong).to.deep.equal([]);
    expect(credits.charged).to.equal(credits.answered);
    expect(payments.settled).to.equal(payments.answered);
    expect(payments.chargedMicros).to.equal(BigInt(payments.answered) * PRICES.preflight_trade.amountMicros);
    expect(Object.keys(report.served).toSorted()).to.deep.equal(['a', 'b', 'c']);
  });

  it('have one board and one verdict for each wallet afterwards, whichever is asked', async () => {
    const token = await redeemLocal(cluster.facts, `0x${'3'.padStart(40, '0')}`);
    const ask = async (url: string, path: string) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      const { paid: _paid, ...body } = (await answer.json()) as Record<string, unknown>;
      return { status: answer.status, body };
    };
    const { skilled, unseen } = cluster.facts.exampleWallets;
    const urls = cluster.facts.replicas!.map(({ url }) => url);
    await until(
      'a board is in force everywhere',
      async () => {
        const lists = await Promise.all(urls.map((url) => ask(url, '/api/leaderboard')));
        return lists.every(({ status }) => status === 200);
      },
      PROCESS_START_MS,
    );
    const copyOfUnseen = `/api/preflight_copy?wallet=${unseen}`;
    expect(await ask(urls[0]!, copyOfUnseen)).to.deep.include({ status: 202 });
    await until('the unseen wallet is rated', async () => (await ask(urls[1]!, copyOfUnseen)).status === 200);
    for (const path of ['/api/leaderboard', '/api/red_list', `/api/preflight_copy?wallet=${skilled}`, copyOfUnseen]) {
      const [first, ...others] = await Promise.all(urls.map((url) => ask(url, path)));
      expect(first!.status, path).to.equal(200);
      for (const other of others) expect(other, path).to.deep.equal(first);
    }
  });
});
