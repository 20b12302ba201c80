import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { walletNumber } from '#test/contract/store.contract';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/debit-death-child.js', import.meta.url));
const WALLET = walletNumber(1);

/** Which requests a process that died was answered, and which of them the ledger lacks. */
async function afterDeath(fault: 'none' | 'early', point: string) {
  const dataDir = tempFolder('debit-death');
  const first = openCredits(dataDir);
  await first.credits.grant(WALLET, 100, 30, 'deaths');
  await first.store.close();
  const env = { ...process.env, CRASH_AT: point };
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [...SHORT_LIVED, CHILD, dataDir, fault], {
    env,
  });
  expect(exitCode, stderr).to.equal(-1);
  const acknowledged = stdout.split('\n').flatMap((line) => (line.startsWith('ack ') ? [line.slice(4)] : []));
  const { store } = openCredits(dataDir);
  const ledger = await store.ledger(WALLET, 1_000).finally(() => store.close());
  const debited = ledger.flatMap(({ kind, requestId }) => (kind === 'debit' ? [requestId] : []));
  return { acknowledged, debited, lost: acknowledged.filter((id) => !debited.includes(id)) };
}

describe('a process that dies in a debit', function () {
  this.timeout(PROCESS_TEST_MS);

  it('loses none that it acknowledged, and debits none twice', async () => {
    expect(await afterDeath('none', 'debit.before#3')).to.deep.equal({
      acknowledged: ['request-0', 'request-1'],
      debited: ['request-0', 'request-1'],
      lost: [],
    });
    expect(await afterDeath('none', 'debit.after#3')).to.deep.equal({
      acknowledged: ['request-0', 'request-1'],
      debited: ['request-0', 'request-1', 'request-2'],
      lost: [],
    });
  });

  it('is found out by its ledger if it acknowledges a debit before it is written', async () => {
    expect((await afterDeath('early', 'debit.before#2')).lost).to.deep.equal(['request-0']);
  });
});
