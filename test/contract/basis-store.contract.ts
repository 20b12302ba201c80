import { expect } from 'chai';
import type { StoredBasis } from '#ports/basis-store';
import { BASES_FORGOTTEN_MAX } from '#ports/basis-store';
import type { RatingsStore } from '#ports/ratings-store';
import { sampleBoard } from '#test/support/sample-ratings';
import type { RatingsFixture } from './ratings-store.contract.js';

const DAY_S = 86_400;
const AS_OF_S = 1_785_542_400;
const basis = (n: number, asOfS = AS_OF_S, text = `{"n":${n}}`): StoredBasis => ({ wallet: `0xw${n}`, asOfS, text });

/** What every engine behind the BasisStore port has to do. */
export function describeBasisStore(name: string, makeFixture: () => Promise<RatingsFixture>): void {
  describe(`${name} bases of ratings`, () => {
    let fixture: RatingsFixture;
    let store: RatingsStore;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
    });

    afterEach(async () => {
      await store.close();
      await fixture.remove();
    });

    it('are none in the beginning, and none are put without an error', async () => {
      await store.bases.put([]);
      expect(await store.bases.read(AS_OF_S, '0xw1')).to.equal(null);
      expect(await store.bases.list(null, 10)).to.deep.equal({ items: [], faults: [], next: null });
    });

    it('are stored by wallet and moment, over a restart as well', async () => {
      const long = `{"event":"${'é'.repeat(200_000)}"}`;
      await store.bases.put([basis(1), basis(2, AS_OF_S, long)]);
      await store.close();
      store = await fixture.open();
      expect(await store.bases.read(AS_OF_S, '0xw1')).to.equal('{"n":1}');
      expect(await store.bases.read(AS_OF_S, '0xw2')).to.equal(long);
      expect(await store.bases.read(AS_OF_S - DAY_S, '0xw1')).to.equal(null);
      expect(await store.bases.read(AS_OF_S, '0xw3')).to.equal(null);
    });

    it('are replaced by another of the same wallet and moment', async () => {
      await store.bases.put([basis(1)]);
      await store.bases.put([basis(1, AS_OF_S, '{}')]);
      expect(await store.bases.read(AS_OF_S, '0xw1')).to.equal('{}');
    });

    it('of earlier moments are forgotten, so many at once, and those of later ones are not', async () => {
      const old = Array.from({ length: BASES_FORGOTTEN_MAX + 1 }, (_, n) => basis(n, AS_OF_S - DAY_S));
      await store.bases.put(old);
      await store.bases.put([basis(1), basis(2, AS_OF_S + DAY_S)]);
      const left = async () => (await store.bases.list(null, 1_000)).items.map(({ asOfS }) => asOfS);
      // Those of the newest moment put: all before it.
      expect(await left()).to.deep.equal([AS_OF_S - DAY_S, AS_OF_S, AS_OF_S + DAY_S]);
      await store.bases.put([basis(3, AS_OF_S)]);
      expect(await left()).to.deep.equal([AS_OF_S, AS_OF_S, AS_OF_S + DAY_S]);
    });

    it('of the board in force stay, however many a later night stores before its own board is', async () => {
      const later = [basis(3, AS_OF_S + DAY_S), basis(4, AS_OF_S + DAY_S)];
      await store.bases.put([basis(1, AS_OF_S - DAY_S)]);
      await store.bases.put([basis(1), basis(2)]);
      await store.publish(sampleBoard({ run: 1, asOfS: AS_OF_S }));
      for (const one of later) await store.bases.put([one]);
      const left = async () => (await store.bases.list(null, 10)).items;
      expect(await left()).to.deep.equal([basis(1), basis(2), ...later]);
      await store.publish(sampleBoard({ run: 2, asOfS: AS_OF_S + DAY_S }));
      await store.bases.put([basis(5, AS_OF_S + DAY_S)]);
      expect(await left()).to.deep.equal([...later, basis(5, AS_OF_S + DAY_S)]);
    });

    it('are listed by the page, by moment and wallet', async () => {
      await store.bases.put([basis(2), basis(1), basis(3)]);
      const first = await store.bases.list(null, 2);
      expect(first.items).to.deep.equal([basis(1), basis(2)]);
      expect((await store.bases.list(first.next, 2)).items).to.deep.equal([basis(3)]);
    });
  });
}
