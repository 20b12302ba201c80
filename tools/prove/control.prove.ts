import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { USDC_ADDRESS } from '#local/chain/usdc';
import { needAnvil } from '#test/local/support/chain-harness';
import { finalOf, moneyFaults, repeatFaults } from '#test/payments/matrix/judge';
import { nameOf, type Played, playAll } from '#test/payments/matrix/runner';
import { preflight, type Seller } from '#test/payments/matrix/seller';
import type { Story } from '#test/payments/matrix/story';
import { toTable } from '#test/payments/matrix/table';
import { PaymentWorld } from '#test/support/payment-world';
import { startServiceProcess } from '#test/support/service-process';
import { skipLoudly } from '#test/support/skipped';
import { CONTROL_CELLS, type ControlCell } from './support/control-cells.js';
import { CONTROL_REQUESTS, playRequest } from './support/control-requests.js';
import { CellProgress } from './support/progress.js';
import { type Installed, installStock, STOCK_NAME } from './support/stock-install.js';

const SERVER = fileURLToPath(new URL('./support/stock-server.js', import.meta.url));
const AT_ONCE = 12;

/** The stock middleware as a seller; it knows one facilitator and keeps nothing. */
function stockSeller(dir: string): Seller {
  return {
    name: STOCK_NAME,
    keepsCredits: false,
    start: ({ world, facilitators }) =>
      startServiceProcess(SERVER, {
        args: [dir],
        env: { FACILITATOR_URL: facilitators[0]!.url, PAYEE_ADDRESS: world.payee, USDC_ADDRESS },
      }),
  };
}

/** A broken promise is what this run looks for, so only the number is shown. */
function progressOf(seller: Seller) {
  const progress = new CellProgress(seller.name, CONTROL_CELLS.length, nameOf);
  return ({ cell }: Played) => progress.show({ cell, breaches: [] });
}

/** What one seller made of one case. */
interface Result {
  readonly cells: readonly [saw: string, money: string, repeat: string];
  /** What the payer has to complain of; null where nothing is. */
  readonly complaint: string | null;
}

const CHARGED_IN_VAIN = 'charged, and told to pay again';

function resultOf({ story, breaches }: Played): Result {
  if (story === null) throw new Error(breaches.join());
  const { answers, repeats, transfers } = story;
  const saw = answers.map(({ status }) => status).join(' ');
  const again = repeats.map(({ status }) => status).join(' ');
  const isSame = repeats.length > 0 && repeatFaults(story).length === 0;
  return { cells: [saw, `${transfers.length}tx`, isSame ? 'the same' : again], complaint: complaintOf(story) };
}

/**
 * After a 402 its client signs anew and pays, so that payment must not have moved money, nor do so
 * later.
 */
function complaintOf(story: Story): string | null {
  const { answers, transfers } = story;
  if (finalOf(answers) === null) return 'no answer';
  if (answers.some(({ status }) => status === 402)) return transfers.length === 0 ? null : CHARGED_IN_VAIN;
  if (moneyFaults(story).length > 0) return moneyFaults(story).join();
  return repeatFaults(story).length === 0 ? null : 'paid, and not had again';
}

describe(`the same cases with ${STOCK_NAME}`, () => {
  let world: PaymentWorld;
  let stock: Installed;

  before(async function () {
    this.timeout(600_000);
    needAnvil(this);
    stock = await installStock();
    if (stock.kind === 'unavailable') {
      skipLoudly(this, stock.why);
    }
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  async function resultsOf(seller: Seller): Promise<ReadonlyMap<string, Result>> {
    const results = new Map<string, Result>();
    const played = await playAll(CONTROL_CELLS, { world, seller, atOnce: AT_ONCE, progress: progressOf(seller) });
    for (const each of played) results.set((each.cell as ControlCell).title, resultOf(each));
    for (const request of CONTROL_REQUESTS) {
      const { saw, transfers, complaint } = await playRequest(world, seller, request);
      results.set(request.title, { cells: [saw, `${transfers}tx`, ''], complaint });
    }
    return results;
  }

  it('shows what each case tells apart', async () => {
    const theirs = await resultsOf(stockSeller((stock as Installed & { kind: 'installed' }).dir));
    const ours = await resultsOf(preflight);
    const titles = [...ours.keys()];
    const rows = titles.map((title) => {
      const { cells, complaint } = theirs.get(title)!;
      return [title, ...cells, ...ours.get(title)!.cells, complaint ?? 'weak: stock passes too'];
    });
    const head = ['', 'stock saw', 'money', 'repeats', 'preflight saw', 'money', 'repeats', 'what is wrong with stock'];
    console.log(`\n${toTable([head, ...rows])}`);
    const weak = titles.filter((title) => theirs.get(title)!.complaint === null);
    console.log(
      `\n${titles.length} cases: ${STOCK_NAME} fails ${titles.length - weak.length}, ${weak.length} are weak`,
    );
    expect(titles.filter((title) => ours.get(title)!.complaint !== null)).to.deep.equal([]);
    expect(weak.length, 'a control that passes everything controls nothing').to.be.below(titles.length / 2);
  });
});
