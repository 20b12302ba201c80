import { expect } from 'chai';
import fc from 'fast-check';
import { Ladder } from '#domain/book/ladder';
import { arbitraryLevel, arbitraryTick } from '#test/support/arbitrary-books';
import { PROPERTY_RUNS } from '#test/support/size';

const RUNS = PROPERTY_RUNS;

/** The plainest order book there is: a map, sorted when somebody asks. */
class SortedMap {
  readonly levels = new Map<number, number>();
  constructor(readonly kind: 'bids' | 'asks') {}
  set(ticks: number, size: number) {
    if (size === 0) this.levels.delete(ticks);
    else this.levels.set(ticks, size);
  }
  bestFirst() {
    return [...this.levels].sort(([a], [b]) => (this.kind === 'bids' ? b - a : a - b));
  }
}

const bestFirst = (ladder: Ladder) =>
  Array.from({ length: ladder.length }, (_, depth) => [ladder.ticksAt(depth), ladder.sizeAt(depth)]);

const updates = arbitraryTick.chain((tick) =>
  fc.array(
    fc
      .tuple(arbitraryLevel(tick), fc.boolean())
      .map(([level, removes]) => (removes ? { ...level, sizeMicros: 0 } : level)),
    { maxLength: 60 },
  ),
);

/** Price x size, in 1e-10 USD. */
const CENT = 100_000_000n;

describe('Ladder', () => {
  for (const kind of ['bids', 'asks'] as const) {
    it(`holds the same ${kind} as a sorted map after any sequence of updates, at every tick of the venue`, () => {
      fc.assert(
        fc.property(updates, (sequence) => {
          const ladder = new Ladder(kind);
          const naive = new SortedMap(kind);
          for (const { priceTicks, sizeMicros } of sequence) {
            ladder.set(priceTicks, sizeMicros);
            naive.set(priceTicks, sizeMicros);
            expect(ladder.bestTicks).to.equal(naive.bestFirst()[0]?.[0] ?? null);
          }
          expect(bestFirst(ladder)).to.deep.equal(naive.bestFirst());
          const depth = naive.bestFirst().reduce((sum, [t, s]) => sum + BigInt(t) * BigInt(s), 0n);
          expect(ladder.depthCents).to.equal(Number((depth + CENT / 2n) / CENT));
        }),
        { numRuns: RUNS },
      );
    });

    it(`loads a snapshot of ${kind} in any order of levels`, () => {
      fc.assert(
        fc.property(updates, (levels) => {
          const naive = new SortedMap(kind);
          for (const { priceTicks, sizeMicros } of levels) naive.set(priceTicks, sizeMicros);
          const ladder = new Ladder(kind);
          ladder.set(5_000, 1);
          ladder.replace(levels);
          expect(bestFirst(ladder)).to.deep.equal(naive.bestFirst());
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('holds what replacing it by would change nothing of, and no other levels', () => {
    const levels = fc.array(arbitraryLevel(1_000), { maxLength: 8 });
    const kinds = fc.constantFrom('bids' as const, 'asks' as const);
    fc.assert(
      fc.property(kinds, levels, levels, (kind, ours, theirs) => {
        const ladder = new Ladder(kind);
        ladder.replace(ours);
        const other = new Ladder(kind);
        other.replace(theirs);
        const same = JSON.stringify(bestFirst(ladder)) === JSON.stringify(bestFirst(other));
        expect(ladder.holds(theirs)).to.equal(same);
        for (const written of [ours, [...ladder.levels()], [...ladder.levels()].reverse()]) {
          expect(ladder.holds(written)).to.equal(true);
        }
        // Of a price named twice the last size counts.
        const first = [...ladder.levels()][0];
        if (first !== undefined)
          expect(ladder.holds([...ours, { ...first, sizeMicros: first.sizeMicros + 1 }])).to.equal(false);
      }),
      { numRuns: RUNS },
    );
  });

  it('says whether an update changed anything, and ignores the removal of a level that is not there', () => {
    const ladder = new Ladder('bids');
    expect(ladder.set(4_900, 0)).to.equal(false);
    expect(ladder.set(4_900, 7)).to.equal(true);
    expect(ladder.set(4_900, 7)).to.equal(false);
    expect(ladder.set(4_900, 0)).to.equal(true);
    expect(ladder.bestTicks).to.equal(null);
    expect(ladder.depthCents).to.equal(0);
  });

  it('sums sizes to the cent that together are beyond the safe integers', () => {
    const asks = new Ladder('asks');
    // 9,000,000 shares a level, for 0.1 to 0.9999 USD: 4.5 * 10^10 USD, with a cent and a half from
    // the last.
    for (let ticks = 1_000; ticks < 10_000; ticks++) asks.set(ticks, 9_000_000_000_000);
    asks.set(500, 300_000);
    const micros = 9_000_000_000_000n * ((1_000n + 9_999n) * 4_500n) + 500n * 300_000n;
    expect(micros > BigInt(Number.MAX_SAFE_INTEGER)).to.equal(true);
    expect(asks.depthCents).to.equal(Number((micros + CENT / 2n) / CENT));
  });

  it('has the sum of its levels to the cent after every change, also when it leaves the safe integers and comes back', () => {
    const sizes = [0, 1, 300_001, 9_000_000_000_000, 2 ** 53 - 1].map((size) => fc.constant(size));
    const ticks = fc.constantFrom(1, 2, 3, 5_000, 9_999);
    const changes = fc.array(fc.tuple(ticks, fc.oneof(fc.nat(2 ** 31), ...sizes), fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(changes, (sequence) => {
        const ladder = new Ladder('bids');
        const naive = new SortedMap('bids');
        for (const [priceTicks, sizeMicros, isAsked] of sequence) {
          ladder.set(priceTicks, sizeMicros);
          naive.set(priceTicks, sizeMicros);
          const depth = naive.bestFirst().reduce((sum, [t, s]) => sum + BigInt(t) * BigInt(s), 0n);
          if (isAsked) expect(ladder.depthCents).to.equal(Number((depth + CENT / 2n) / CENT));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('writes its levels in the venue order: best last', () => {
    const asks = new Ladder('asks');
    for (const ticks of [5_200, 5_100, 9_900]) asks.set(ticks, 1);
    expect([...asks.levels()].map((l) => l.priceTicks)).to.deep.equal([9_900, 5_200, 5_100]);
  });
});
