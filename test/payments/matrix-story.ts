import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import type { PaymentWorld, Transfer } from '#test/support/payment-world';
import { type CreditsFound, lookForCredits } from './matrix-credits.js';
import type { Cell, KillMoment } from './matrix-cells.js';
import { type Answer, ask, type Call, sign } from './matrix-payer.js';
import { Lives, type Seller } from './matrix-seller.js';

/** What happened in a cell. */
export interface Story {
  readonly cell: Cell;
  readonly payer: Address;
  readonly payee: Address;
  /** All answers to the one payment until the first 200 or 402, which is the last of them where there was one. */
  readonly answers: readonly Answer[];
  /** The same request twice more: at once, and after another kill -9. */
  readonly repeats: readonly Answer[];
  readonly deaths: readonly string[];
  /** Connections that broke though nobody had died. */
  readonly brokenAlive: number;
  readonly transfers: readonly Transfer[];
  /** Of the credit pack. */
  readonly credits: CreditsFound | null;
  /** What the service wrote in its last life. */
  readonly output: string;
}

/** Times the client sends its payment before it gives up: each may be held for 25 s. */
const ASKS_MAX = 40;
const PAUSE_MS = 250;
/** An authorization that is to expire is made as short as the service takes it (20 s), and some. */
const SHORT_WINDOW_S = 28;
const LOOK_EVERY_MS = 10;

/** Plays one cell from the first request to the last repeat, on processes, data and a wallet of its own. */
export async function play(world: PaymentWorld, seller: Seller, cell: Cell): Promise<Story> {
  const { fault, operation, version } = cell;
  const dataDir = mkdtempSync(join(tmpdir(), 'preflight-cell-'));
  const facilitators = await Promise.all(
    Array.from({ length: fault.hasSpare ? 2 : 1 }, () => startLocalFacilitator({ chain: world.chain })),
  );
  for (const plan of fault.plans) facilitators[0]!.faults.plan(plan);
  const lives = new Lives(seller, { world, dataDir, facilitatorUrls: facilitators.map(({ url }) => url) }, cell.crashes);
  try {
    // Enough for two: whoever charges twice can.
    const account = await world.newPayer(operation.priceMicros * 2n);
    const windowS = fault.end === 402 ? SHORT_WINDOW_S : null;
    const call = await sign(await lives.url(), operation.call, { version, account, windowS });
    const killing = cell.killWhen && killWhen(cell.killWhen, { world, lives, facilitator: facilitators[0]!, payer: account.address });
    const client = new Client(lives, call);
    const final = await client.askUntilFinal();
    await killing;
    if (cell.isCertain && lives.deaths.length < cell.crashes.length) await lives.diedNow();
    const repeats = [await client.askUntilAnswered()];
    const output = lives.output();
    await lives.kill();
    repeats.push(await client.askUntilAnswered());
    const credits = operation.name === 'credits' && seller.name === 'preflight'
      ? await lookForCredits(await lives.url(), final, { dataDir, wallet: account.address })
      : null;
    await lives.kill();
    return {
      cell,
      payer: account.address,
      payee: world.payee,
      answers: client.answers,
      repeats,
      deaths: lives.deaths,
      brokenAlive: client.brokenAlive,
      transfers: await world.transfersFrom(account.address),
      credits,
      output,
    };
  } finally {
    await lives.kill();
    await Promise.all(facilitators.map((facilitator) => facilitator.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Sends one and the same call, whatever becomes of the service. */
class Client {
  readonly answers: Answer[] = [];
  brokenAlive = 0;

  constructor(
    private readonly lives: Lives,
    private readonly call: Call,
  ) {}

  async askUntilFinal(): Promise<Answer | null> {
    while (this.answers.length < ASKS_MAX) {
      const answer = await this.#askOnce();
      this.answers.push(answer);
      if (answer.status === 200 || answer.status === 402) return answer;
      await sleep(PAUSE_MS);
    }
    return null;
  }

  /** A repeat may find a service that dies of it. */
  async askUntilAnswered(): Promise<Answer> {
    for (let asks = 1; ; asks++) {
      const answer = await this.#askOnce();
      if (answer.status !== 'cut' || asks === ASKS_MAX) return answer;
    }
  }

  async #askOnce(): Promise<Answer> {
    const answer = await ask(await this.lives.url(), this.call);
    if (answer.status === 'cut' && !(await this.lives.diedNow())) this.brokenAlive++;
    return answer;
  }
}

interface Watched {
  readonly world: PaymentWorld;
  readonly lives: Lives;
  readonly facilitator: LocalFacilitator;
  readonly payer: Address;
}

/** Kills the service from outside when it has come so far. */
async function killWhen(moment: KillMoment, { world, lives, facilitator, payer }: Watched): Promise<void> {
  const has: Record<KillMoment, () => Promise<boolean>> = {
    'verify asked': async () => facilitator.faults.calls({ operation: 'verify' }).length > 0,
    'settle asked': async () => facilitator.faults.calls({ operation: 'settle' }).length > 0,
    'money moved': async () => (await world.transfersFrom(payer)).length > 0,
  };
  while (!(await has[moment]())) await sleep(LOOK_EVERY_MS);
  await lives.kill();
}
