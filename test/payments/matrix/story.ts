import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { PaymentWorld, Transfer } from '#test/support/payment-world';
import { type Cell, isDurableAt } from './cells.js';
import { Client } from './client.js';
import { type CreditsFound, lookForCredits } from './credits.js';
import { EXPIRED } from './faults.js';
import { killWhen, submitOnceSent } from './kill.js';
import { type Answer, authorizationIn, type Call, sign } from './payer.js';
import { Lives, type Seller } from './seller.js';
import { openSite, type Site } from './site.js';

/** What happened in a cell. */
export interface Story {
  readonly cell: Cell;
  readonly payer: Address;
  readonly payee: Address;
  /**
   * All answers to the one payment until the first 200 or 402, which is the last of them where
   * there was one.
   */
  readonly answers: readonly Answer[];
  /**
   * The same request again: at once, and after another kill -9 where none had come since the answer
   * was durable; or none.
   */
  readonly repeats: readonly Answer[];
  readonly deaths: readonly string[];
  /** Connections that broke though nobody had died. */
  readonly brokenAlive: number;
  readonly transfers: readonly Transfer[];
  /** Of the credit pack; null for other operations. */
  readonly credits: CreditsFound | null;
}

/**
 * An authorization that is to expire is made as short as the service takes it (20 s), and as long
 * as it needs for the starts in which it must not have expired yet: those take as many times longer
 * as the machine is busy.
 */
const SHORT_WINDOW_S = 34;
const STARTS_IN_WINDOW = 6;
/** The service takes none that is open for longer than two minutes. */
const WINDOW_S_MAX = 115;
/**
 * In which time everything lands that a facilitator was told to do later, once the client has been
 * refused.
 */
const LANDING_MS = 3_000;
/** Two minutes of an authorization, and a dozen starts on a busy machine. */
const CELL_MS_MAX = 360_000;

/**
 * Plays one cell from the first request to the last repeat, on processes, data and a wallet of its
 * own.
 */
export async function play(world: PaymentWorld, seller: Seller, cell: Cell): Promise<Story> {
  const site = await openSite(world, cell.fault);
  const lives = new Lives(seller, site, cell.crashes);
  const over = new AbortController();
  const tooLong = sleep(CELL_MS_MAX, null, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`it did not end within ${CELL_MS_MAX} ms; ${lives.lastWords()}`);
  });
  try {
    return await Promise.race([playAt(site, lives, cell), tooLong]);
  } finally {
    over.abort();
    await lives.end();
    await site.close();
  }
}

async function playAt(site: Site, lives: Lives, cell: Cell): Promise<Story> {
  const { world } = site;
  // Enough for two: whoever charges twice can.
  const account = await world.newPayer(cell.operation.priceMicros * 2n);
  const url = await lives.url();
  const call = await signFor(cell, account, { url, startedInMs: lives.startedInMs });
  const client = new Client(lives, call);
  const payer = account.address;
  const watched = { world, lives, client, facilitator: site.facilitators[0]!, payer };
  const submitting = cell.fault.isPreempted ? submitOnceSent(authorizationIn(call), watched) : Promise.resolve();
  const killing = killWhen(cell.killWhen ?? 'never', watched);
  // Awaited below; a cell that is given up before does not come to it.
  killing.catch(() => undefined);
  submitting.catch(() => undefined);
  const final = await client.askUntilFinal();
  await killing;
  await submitting;
  if (cell.isCertain && lives.deaths.length < cell.crashes.length) await lives.diedNow();
  const isObeyed = cell.obeysRefusal === true && final?.status === 402;
  const repeats = isObeyed ? await sleep(LANDING_MS, []) : await repeat(client, lives, cell);
  const hasCredits = lives.seller.keepsCredits && cell.operation.name === 'credits';
  const wallet = { dataDir: site.dataDir, wallet: payer };
  const credits = hasCredits ? await lookForCredits(await lives.url(), final, wallet) : null;
  const { answers, brokenAlive } = client;
  const transfers = await world.transfersFrom(payer);
  const { deaths } = lives;
  return { cell, payer, payee: world.payee, answers, repeats, deaths, brokenAlive, transfers, credits };
}

function signFor(
  { operation, version, fault }: Cell,
  account: PrivateKeyAccount,
  { url, startedInMs }: { readonly url: string; readonly startedInMs: number },
): Promise<Call> {
  const shortS = Math.ceil(SHORT_WINDOW_S + (STARTS_IN_WINDOW * startedInMs) / 1_000);
  const windowS = fault.reasons.includes(EXPIRED) ? Math.min(shortS, WINDOW_S_MAX) : null;
  return sign(url, operation.call, { version, account, windowS });
}

async function repeat(client: Client, lives: Lives, { isKilledAfterwards = true }: Cell): Promise<Answer[]> {
  const repeats = [await client.askUntilAnswered()];
  if (!isKilledAfterwards || lives.deaths.some(isDurableAt)) return repeats;
  await lives.kill();
  return [...repeats, await client.askUntilAnswered()];
}
