import type { Answer } from './payer.js';
import type { Story } from './story.js';

/** What a receipt header holds. */
interface Receipt {
  readonly success: boolean;
  readonly transaction: string;
  readonly errorReason?: string;
}

/** Returns every promise that the story breaks, as a sentence; none where all is well. */
export function breachesOf(story: Story): readonly string[] {
  return [endFaults, moneyFaults, answerFaults, repeatFaults, receiptFaults, deathFaults, creditFaults].flatMap(
    (look) => look(story),
  );
}

/** The outcome in short, as `200 1tx`. */
export function outcomeOf({ answers, transfers }: Story): string {
  return `${finalOf(answers)?.status ?? 'none'} ${transfers.length}tx`;
}

export function finalOf(answers: readonly Answer[]): Answer | null {
  const last = answers.at(-1);
  return last?.status === 200 || last?.status === 402 ? last : null;
}

function endFaults({ answers, cell }: Story): string[] {
  const status = finalOf(answers)?.status ?? null;
  if (status === null) return [`no final answer after ${answers.length} requests`];
  const { end, reasons } = cell.fault;
  if (status !== end) return [`ends with ${status} instead of ${end}: ${answers.at(-1)!.body}`];
  const reason = status === 402 ? readReceipt(answers.at(-1)!)?.errorReason : undefined;
  return reason === undefined || reasons.includes(reason) ? [] : [`refused with ${reason}`];
}

/** A 200 has exactly one transfer of exactly the price to the payee; every other end has none. */
export function moneyFaults({ answers, transfers, payee, cell }: Story): string[] {
  const status = finalOf(answers)?.status;
  const wanted = status === 200 ? 1 : 0;
  const faults = transfers.length === wanted ? [] : [`${status ?? 'no answer'} with ${transfers.length} transfers`];
  const isExact = transfers.every(({ to, micros }) => to === payee && micros === cell.operation.priceMicros);
  return isExact ? faults : [...faults, `paid ${transfers.map(({ to, micros }) => `${micros} to ${to}`).join(', ')}`];
}

/**
 * Only the statuses of the interface; terms to pay are on a 402 and nowhere else, least of all
 * where the outcome is unknown.
 */
function answerFaults({ answers, repeats, brokenAlive }: Story): string[] {
  const faults = [...answers, ...repeats].flatMap(({ status, demand, retryAfter, body }) => {
    if (status === 'cut') return [];
    if (![200, 402, 500].includes(status)) return [`answered ${status} ${body}`];
    const received = [];
    if ((demand !== null) !== (status === 402))
      received.push(`${status} ${demand === null ? 'without' : 'with'} terms`);
    if ((retryAfter !== null) !== (status === 500)) received.push(`${status} with Retry-After ${retryAfter}: ${body}`);
    return received;
  });
  return brokenAlive === 0 ? faults : [...faults, `${brokenAlive} connections broke though nobody had died`];
}

export function repeatFaults({ answers, repeats }: Story): string[] {
  const final = finalOf(answers);
  const names = ['the repeat', 'the repeat after a restart'];
  return repeats.flatMap((repeat, at) => {
    if (final === null || isSame(repeat, final)) return [];
    return [`${names[at]} differs: ${describe(repeat)} instead of ${describe(final)}`];
  });
}

function isSame(a: Answer, b: Answer): boolean {
  return a.status === b.status && a.body === b.body && a.receipt === b.receipt && termsOf(a) === termsOf(b);
}

/** The terms of a 402. Those of the pack carry a secret that is fresh in each answer. */
function termsOf({ demand }: Answer): string | null {
  if (demand === null) return null;
  const { extensions = {}, ...terms } = JSON.parse(atob(demand));
  return JSON.stringify([terms, { ...extensions, 'purchase-secret': undefined }]);
}

function describe({ status, body, receipt }: Answer): string {
  return `${status} ${body.slice(0, 300)} ${receipt === null ? 'without a receipt' : atob(receipt)}`;
}

/**
 * The receipt and the body of a 200 name the transaction that moved the money; a 402 says why there
 * is none.
 */
function receiptFaults({ answers, transfers }: Story): string[] {
  const final = finalOf(answers);
  if (final === null) return [];
  const receipt = readReceipt(final);
  if (receipt === null) return [`${final.status} without a receipt`];
  const { success, transaction, errorReason } = receipt;
  if (final.status === 402) return success || !errorReason ? [`402 with the receipt ${JSON.stringify(receipt)}`] : [];
  const { paid } = JSON.parse(final.body) as { paid?: { transaction?: string } };
  const named = [transaction, paid?.transaction];
  const isNamed = success && named.every((hash) => hash !== undefined && hash === transfers[0]?.transaction);
  return isNamed ? [] : [`200 that names ${named.join(' and ')}, paid by ${transfers[0]?.transaction}`];
}

function readReceipt({ receipt }: Answer): Receipt | null {
  return receipt === null ? null : (JSON.parse(atob(receipt)) as Receipt);
}

function deathFaults({ cell, deaths }: Story): string[] {
  if (!cell.isCertain || deaths.join() === cell.crashes.join()) return [];
  return [`died at ${deaths.join() || 'no point'} instead of ${cell.crashes.join()}`];
}

/**
 * A paid pack adds 500 credits once, whatever is repeated; its token works and can be shown again.
 */
function creditFaults({ answers, credits }: Story): string[] {
  if (credits === null) return [];
  const wanted =
    finalOf(answers)?.status === 200
      ? { balance: 500, tokenStatus: 200, ledger: ['grant 500'] }
      : { balance: null, tokenStatus: null, ledger: [] };
  const found = JSON.stringify(credits);
  return found === JSON.stringify(wanted) ? [] : [`credits are ${found}`];
}
