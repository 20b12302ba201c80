import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import type { Cell } from '#test/payments/matrix/cells';
import { audit, listBroken, nameOf, type Played, playAll } from '#test/payments/matrix/runner';
import { preflight } from '#test/payments/matrix/seller';
import { totals } from '#test/payments/matrix/table';
import { PaymentWorld } from '#test/support/payment-world';
import { CellProgress } from './progress.js';
import { keepCell, readCells } from './results.js';

/** Most cells wait for a timeout, a block or their turn to start. */
const AT_ONCE = 16;

interface Cells {
  readonly part: string;
  readonly title: string;
  readonly cells: readonly Cell[];
  /** Whether cells that were played in an earlier run are these: not when dice made them. */
  readonly isResumable?: boolean;
  /** What is shown of the outcome, beside the totals. */
  readonly tables?: (played: readonly Played[]) => string;
  /** What else must be so when all are played. */
  readonly check?: (played: readonly Played[]) => void;
}

/** Declares the tests of a part that plays cells of the payment matrix, on a world of its own. */
export function proveCells({ part, title, cells, isResumable = true, tables, check }: Cells): void {
  describe(`payments when the process dies and the facilitator fails: ${part}`, () => {
    let world: PaymentWorld;
    let fresh: readonly Played[] = [];
    const interruption = new AbortController();
    const interrupt = () => interruption.abort();

    before(async function () {
      needAnvil(this);
      world = await PaymentWorld.start();
      process.once('SIGINT', interrupt);
    });
    after(async () => {
      process.off('SIGINT', interrupt);
      await world?.stop();
    });

    it(title, async () => {
      const earlier = isResumable ? playedBefore(part, cells) : [];
      const waiting = cells.filter((cell) => !earlier.some((played) => played.cell === cell));
      if (earlier.length > 0) process.stderr.write(`  ${part}: ${earlier.length} cells of an earlier run are kept\n`);
      const progress = new CellProgress(part, waiting.length, nameOf);
      fresh = await playAll(waiting, {
        world,
        seller: preflight,
        atOnce: AT_ONCE,
        signal: interruption.signal,
        progress: (played) => {
          const { cell, outcome, breaches, deaths } = played;
          keepCell(part, { cell: nameOf(cell), outcome, breaches, deaths });
          progress.show(played);
        },
      });
      const played = inOrder(cells, [...earlier, ...fresh]);
      console.log(`\n${tables === undefined ? '' : `${tables(played)}\n\n`}${totals(played)}`);
      expect(listBroken(played)).to.equal('');
      expect(interruption.signal.aborted, `interrupted after ${played.length} of ${cells.length} cells`).to.equal(
        false,
      );
      check?.(played);
    });

    it('has taken exactly the price of every answer, when all late transfers have landed', async function () {
      if (interruption.signal.aborted) this.skip();
      const { earnedMicros, breaches } = await audit(world, fresh);
      console.log(`${fresh.length} payments earned ${Number(earnedMicros) / 1e6} USDC`);
      expect(breaches).to.deep.equal([]);
    });
  });
}

/** Cells that kept every promise in an earlier run; the others are played again. */
function playedBefore(part: string, cells: readonly Cell[]): readonly Played[] {
  const stored = readCells(part);
  return cells.flatMap((cell) => {
    const result = stored.get(nameOf(cell));
    return result === undefined || result.breaches.length > 0 ? [] : [{ ...result, cell, story: null }];
  });
}

function inOrder(cells: readonly Cell[], played: readonly Played[]): readonly Played[] {
  const byCell = new Map(played.map((each) => [each.cell, each]));
  return cells.flatMap((cell) => byCell.get(cell) ?? []);
}
