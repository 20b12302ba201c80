import { expect } from 'chai';
import { memoryState } from '#client/state/memory';
import { clientSystem } from '#client/system';
import { mayBeOpen } from '#page/model/pay/open-key';
import { dropUnsigned, openPurchases, tabState } from '#page/model/pay/open-purchases';
import { tabStorage, x402Purchase } from '../support/open-purchase.js';

const rejection = (work: Promise<unknown>) => work.then(() => 'none', String);

describe('the open purchases of a tab', () => {
  const { clock } = clientSystem;
  const { ledger } = memoryState(clock);

  it('outlive a reload until their outcome is known, and leave nothing behind', async () => {
    const storage = tabStorage();
    const purchase = x402Purchase();
    await tabState(storage, clock, ledger).journal.begin(purchase);
    const reloaded = tabState(storage, clock, ledger).journal;
    expect(await reloaded.find(purchase.payer, purchase.requestId)).to.deep.equal(purchase);
    expect(mayBeOpen(storage, 'leaderboard')).to.equal(true);
    expect(mayBeOpen(storage, 'preflight_copy')).to.equal(false);
    await reloaded.finish(purchase, 'answered');
    expect([...storage.kept]).to.deep.equal([]);
  });

  it('are one per request: the one that was begun first stands', async () => {
    const { journal } = tabState(tabStorage(), clock, ledger);
    const first = await journal.begin(x402Purchase());
    expect(await journal.begin({ ...x402Purchase(), begunAtMs: 7 })).to.deep.equal(first);
  });

  it('are dropped when the page opens if nobody signed them', async () => {
    const storage = tabStorage();
    const { journal } = tabState(storage, clock, ledger);
    await journal.begin(x402Purchase({ id: 'unsigned', signature: null }));
    await journal.begin(x402Purchase({ id: 'signed' }));
    dropUnsigned(storage);
    expect(openPurchases(storage).map(({ id }) => id)).to.deep.equal(['signed']);
  });

  it('stop everything when they cannot be read or written', async () => {
    const storage = tabStorage();
    const { journal } = tabState(storage, clock, ledger);
    for (const text of ['{"version":1}', '[{}]', 'nonsense']) {
      storage.setItem('open purchases', text);
      expect(await rejection(journal.begin(x402Purchase())), text).to.match(/unreadable|JSON/);
      expect(openPurchases(storage)).to.deep.equal([]);
    }
    const full = { ...tabStorage(), setItem: () => expect.fail('quota') };
    expect(await rejection(tabState(full, clock, ledger).journal.begin(x402Purchase()))).to.match(/quota/);
  });

  it('are bounded', async () => {
    const { journal } = tabState(tabStorage(), clock, ledger);
    for (let n = 0; n < 32; n++) await journal.begin(x402Purchase({ id: String(n) }));
    expect(await rejection(journal.begin(x402Purchase({ id: 'one more' })))).to.match(/32 purchases/);
  });
});
