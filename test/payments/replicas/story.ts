import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { parseWallet } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Transfer } from '#test/support/payment-world';
import { EXPIRED } from '../matrix/faults.js';
import { type Answer, ask, type Call, sign } from '../matrix/payer.js';
import { asSmartWallet, keyIn, type Received, SHORT_WINDOW_S, STOPPED_MS } from '../processes/story.js';
import type { Cell } from './cells.js';
import type { Pair } from './pair.js';
import type { Replica } from './replica.js';
import { type Took, Watch } from './watch.js';

/** What happened in a cell. */
export interface Story {
  readonly cell: Cell;
  readonly payee: Address;
  /** All that clients heard, and what both replicas say in the end. */
  readonly received: readonly Received[];
  /** What the replica says that was asked last. */
  readonly repeat: Answer;
  readonly transfers: readonly Transfer[];
  /** Of the wallet's ledger, as `kind credits`. */
  readonly ledger: readonly string[];
  readonly row: PaymentRow | null;
  readonly took: Took;
}

const MOMENT_MS = 400;
/** A claim that waits for another one is under way by then. */
const IN_FLIGHT_MS = 200;
/** A payment that does not come to its crash point in this time will not. */
const HELD_MS_MAX = 30_000;
/** As long as what expires takes, and a request of its own time after it. */
const FINAL_MS_MAX = 120_000;
const PAUSE_MS = 250;
/** The bound, and what a facilitator that hangs takes. */
const BOOKED_MS_MAX = 25_000;

/**
 * Plays a cell up to the end of its trouble. What it returns resolves with the story, for which the
 * pair is only asked: meanwhile it may have the trouble of other cells.
 */
export async function play(pair: Pair, cell: Cell): Promise<() => Promise<Story>> {
  const { world, facilitator, owner, other, store } = pair;
  const account = await world.newPayer(cell.operation.priceMicros * 2n);
  for (const plan of cell.fault.plans) facilitator.faults.plan({ ...plan, payer: account.address });
  await Promise.all([owner.untilWell(), other.untilWell()]);
  const call = await callOf(pair, cell, account);
  const watch = new Watch(pair, keyIn(call), account.address);
  const client = (replica: Replica, isPatient: () => boolean) =>
    askUntilFinal(pair, account.address, { replica, call, isPatient });
  const always = () => true;
  const asks: Promise<readonly Received[]>[] = [];
  try {
    let isHeld = false;
    const held = owner.holdAt(cell.at).then(() => {
      isHeld = true;
    });
    // A facilitator that hangs ends the first request without a reply: that comes with a repeat.
    asks.push(client(owner, cell.asking === 'same' || cell.asking === 'both' ? always : () => !isHeld));
    await inTime(held);
    if (cell.asking === 'other' || cell.asking === 'both') asks.push(client(other, always));
    await trouble(pair, cell, watch);
    await watch.untilBooked(BOOKED_MS_MAX);
  } finally {
    owner.holdNowhere();
  }
  return async () => {
    const received = (await Promise.all(asks)).flat();
    const ends: Received[] = [];
    for (const replica of [owner, other].filter((one) => one.isAlive())) ends.push(...(await client(replica, always)));
    const ledger = await store.ledger(parseWallet(account.address)!, 10);
    return {
      cell,
      payee: world.payee,
      received: [...received, ...ends],
      repeat: ends.at(-1)!.answer,
      transfers: await world.transfersFrom(account.address),
      ledger: ledger.map(({ kind, credits }) => `${kind} ${credits}`),
      ...(await watch.end()),
    };
  };
}

async function callOf({ world, other }: Pair, cell: Cell, account: Parameters<typeof sign>[2]['account']) {
  const windowS = cell.fault.reasons.includes(EXPIRED) ? SHORT_WINDOW_S : null;
  const signed = await sign(other.url, cell.operation.call, { version: cell.version, account, windowS });
  return cell.payer === 'person' ? signed : asSmartWallet(world, account.address, signed);
}

/** The owner stands still when this begins, and both are well when it ends. */
async function trouble({ owner, other }: Pair, cell: Cell, watch: Watch): Promise<void> {
  const met = cell.meets === 'owner' ? owner : other;
  if (met === other) await sleep(IN_FLIGHT_MS);
  const lastsMs = cell.isLong ? STOPPED_MS : MOMENT_MS;
  switch (cell.trouble) {
    case 'killed':
      if (met === owner) await watch.orphan();
      await met.kill();
      owner.goOn();
      if (cell.isLong) await met.startAgain();
      return;
    case 'stopped':
      met.stop();
      if (met === other) owner.goOn();
      await sleep(lastsMs);
      return met.goOn();
    case 'cut off':
    case 'unanswered':
      met.cut(cell.trouble === 'cut off' ? 'reset' : 'black hole');
      owner.goOn();
      await sleep(lastsMs);
      return met.heal();
  }
}

/** Sends the call until there is a 200 or a 402, or whoever sends it is no longer patient. */
async function askUntilFinal(
  { world }: Pair,
  payer: Address,
  { replica, call, isPatient }: { readonly replica: Replica; readonly call: Call; readonly isPatient: () => boolean },
): Promise<readonly Received[]> {
  const received: Received[] = [];
  const untilMs = performance.now() + FINAL_MS_MAX;
  do {
    if (received.length > 0) await sleep(PAUSE_MS);
    // What had moved before it was sent is what an answer has to know of.
    const transfers = (await world.transfersFrom(payer)).length;
    const answer = await ask(replica.url, call);
    received.push({ answer, transfers });
    if (answer.status === 200 || answer.status === 402) return received;
  } while (isPatient() && performance.now() < untilMs);
  return received;
}

async function inTime(held: Promise<void>): Promise<void> {
  const late = new AbortController();
  const lateAfter = sleep(HELD_MS_MAX, 'late', { signal: late.signal }).catch(() => 'held');
  const end = await Promise.race([held, lateAfter]);
  late.abort();
  if (end === 'late') throw new Error('the owner did not come to the crash point');
}
