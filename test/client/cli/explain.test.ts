import { expect } from 'chai';
import { runInProcess } from './support/test-world.js';

describe('a refusal that is explained on the command line', () => {
  it('has its rule and what to change, without a service', async () => {
    const { stdout, exitCode } = await runInProcess([
      'explain',
      'invalid amount for a marketable BUY order ($0.98), min size: $1',
    ]);
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/^marketable_minimum\n/)
      .and.match(/change +Raise the order to 1 USD/);
    expect(stdout).to.contain('usd $0.98, minimum $1');
  });

  it('is the same for programs', async () => {
    const { stdout } = await runInProcess(['explain', '--json', 'order 0x1 is invalid. Duplicated.']);
    expect(JSON.parse(stdout)).to.nested.include({
      found: true,
      'refusal.id': 'duplicated',
      'refusal.order': 'unknown',
    });
  });

  it('may name an order as the venue does, which is no key', async () => {
    const id = `0x${'5e'.repeat(32)}`;
    const { stdout, exitCode } = await runInProcess(['explain', `order ${id} is invalid. Duplicated.`]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^duplicated\n/);
    for (const text of [id, `key ${id}`, `order ${id}5e`]) {
      expect((await runInProcess(['explain', text])).exitCode, text).to.equal(2);
    }
  });

  it('is not made up where the text is not known', async () => {
    const { stdout, exitCode } = await runInProcess(['explain', 'the moon is full']);
    expect(exitCode).to.equal(1);
    expect(stdout).to.match(/not in the list/);
    expect(JSON.parse((await runInProcess(['explain', '--json', 'the moon is full'])).stdout)).to.deep.equal({
      found: false,
    });
  });
});
