import { expect } from 'chai';
import { holdsAllListed } from '#services/tape/all-listed';

const NOW_S = 1_785_600_000;
const SPAN = { fromS: NOW_S - 1_000_000, toS: NOW_S - 100_000 };

/** A tape with this coverage of its recorder, and these spans that something else brought. */
const tapeWith = (
  coverage: object | null,
  imported: readonly { fromS: number; toS: number }[] = [],
  fetched: object | null = null,
) => ({
  progressOf: async (job: string) => ({ live: coverage, backfill: fetched })[job] ?? null,
  importedSpans: async () => imported,
});
const recorded = (held: readonly { from: number; to: number }[], endsS: number | null = null) => ({
  ...{ held, open: [], endsS, nextWalkId: 1, lost: [] },
});

describe('whether a tape holds all that is listed of a span', () => {
  const holds = (tape: ReturnType<typeof tapeWith>) => holdsAllListed(tape, SPAN, NOW_S);

  it('is false before anything was recorded', async () => {
    expect(await holds(tapeWith(null))).to.equal(false);
    expect(await holds(tapeWith(recorded([])))).to.equal(false);
  });

  it('is true if all of it was recorded, also where the feed begins within it', async () => {
    expect(await holds(tapeWith(recorded([{ from: SPAN.fromS, to: NOW_S }])))).to.equal(true);
    const from = SPAN.fromS + 500_000;
    expect(await holds(tapeWith(recorded([{ from, to: NOW_S }], from)))).to.equal(true);
  });

  it('is false if a stretch in the midst of it is missing, unless an import or a backfill brought it', async () => {
    const gap = { fromS: SPAN.fromS + 1_000, toS: SPAN.fromS + 2_000 };
    const torn = recorded([
      { from: SPAN.fromS, to: gap.fromS - 1 },
      { from: gap.toS + 1, to: NOW_S },
    ]);
    expect(await holds(tapeWith(torn))).to.equal(false);
    expect(await holds(tapeWith(torn, [gap]))).to.equal(true);
    expect(await holds(tapeWith(torn, [], recorded([{ from: gap.fromS, to: gap.toS }])))).to.equal(true);
  });
});
