import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileState } from '#client/node/index';
import type { Purchase } from '#client/state/purchase';
import { ManualClock } from '#test/support/manual-clock';
import { tempFolder } from '#test/support/temp-folder';

const PAYER = `0x${'a'.repeat(40)}`;
const OVER_S = 60;

describe('purchases in files', () => {
  const clock = new ManualClock(1_800_000_000_000);
  const home = tempFolder('journal');
  const { journal } = fileState(home, clock);

  /** One whose authorization ends in so many seconds. */
  const purchase = (digit: string, endsInS: number): Purchase => ({
    version: 1,
    id: digit.repeat(32),
    payer: PAYER,
    requestId: digit.repeat(64),
    request: { method: 'GET', url: 'https://a.example/api', body: null },
    begunAtMs: clock.nowMs(),
    lane: {
      kind: 'x402',
      demand: {} as never,
      authorization: { value: '20000', validBefore: String(clock.nowMs() / 1e3 + endsInS) } as never,
      signature: '0x11',
    },
  });

  it('are ended when no chain takes them any more, as soon as another begins', async () => {
    await journal.begin(purchase('1', 120));
    await journal.begin(purchase('2', 1_000));
    clock.advance((120 + OVER_S + 1) * 1e3);
    expect(await journal.list(PAYER)).to.have.length(2);
    await journal.begin(purchase('3', 120));
    expect((await journal.list(PAYER)).map(({ id }) => id[0])).to.have.members(['2', '3']);
  });

  it('are not believed when they name another request, payer or file', async () => {
    const [folder] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('/open'));
    const path = join(home, folder!, `${'4'.repeat(64)}.json`);
    const honest = purchase('4', 120);
    for (const lie of [{ requestId: '5' }, { payer: `0x${'b'.repeat(40)}` }, { id: '../../../4' }]) {
      writeFileSync(path, JSON.stringify({ ...honest, ...lie }), { mode: 0o600 });
      const error = await journal.find(PAYER, honest.requestId).catch((caught) => caught);
      expect(error, JSON.stringify(lie)).to.be.an('error');
    }
    writeFileSync(path, JSON.stringify(honest), { mode: 0o600 });
    expect(await journal.find(PAYER, honest.requestId)).to.deep.equal(honest);
  });
});
