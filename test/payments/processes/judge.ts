import type { Answer } from '../matrix/payer.js';
import type { Story as OfTwoProcesses, Received } from './story.js';

/** What the promises are about. */
type Story = Pick<OfTwoProcesses, 'payee' | 'received' | 'repeat' | 'transfers' | 'ledger'> & {
  readonly cell: Pick<OfTwoProcesses['cell'], 'operation' | 'fault'>;
};

/** Returns every promise that the story breaks, as a sentence; none where all is well. */
export function breachesOf(story: Story): readonly string[] {
  return [endFaults, moneyFaults, sentenceFaults, bodyFaults, creditFaults].flatMap((look) => look(story));
}

const finals = ({ received }: Story) =>
  received.map(({ answer }) => answer).filter(({ status }) => status === 200 || status === 402);
const isPaid = (story: Story) => finals(story).some(({ status }) => status === 200);

function endFaults(story: Story): string[] {
  const statuses = finals(story).map(({ status }) => status);
  const refusal = finals(story)
    .find(({ status }) => status === 402)
    ?.body.slice(0, 200);
  if (statuses.length === 0) return [`no final answer: ${story.received.map(({ answer }) => answer.status).join()}`];
  const { end } = story.cell.fault;
  return statuses.every((status) => status === end)
    ? []
    : [`ends with ${statuses.join()} instead of ${end}: ${refusal ?? ''}`];
}

/** One transfer per wish, and none where a client was refused. */
function moneyFaults(story: Story): string[] {
  const { transfers, payee, cell } = story;
  const wanted = isPaid(story) ? 1 : 0;
  if (transfers.length !== wanted) return [`${transfers.length} transfers instead of ${wanted}`];
  const isExact = transfers.every(({ to, micros }) => to === payee && micros === cell.operation.priceMicros);
  return isExact ? [] : ['the transfer is another than was asked for'];
}

/**
 * No answer denies a transfer that had been made when it was asked for, and terms to pay are on a
 * 402 alone.
 */
function sentenceFaults({ received }: Story): string[] {
  return received.flatMap(({ answer, transfers }: Received) => {
    const { status, body, demand, retryAfter } = answer;
    if (status === 'cut') return [];
    const faults = [];
    if (transfers > 0 && (status === 402 || /nothing was charged/i.test(body))) {
      faults.push(`denies a transfer: ${status} ${body.slice(0, 200)}`);
    }
    if ((demand !== null) !== (status === 402)) faults.push(`${status} and terms: ${body.slice(0, 200)}`);
    if ((retryAfter !== null) !== (status === 500)) faults.push(`${status} with Retry-After ${retryAfter}`);
    return faults;
  });
}

/**
 * All answers have the same bytes; the token of a pack is shown to whoever has its secret, or to
 * the first alone.
 */
function bodyFaults(story: Story): string[] {
  const paid = [...finals(story), story.repeat]
    .filter(({ status }) => status === 200)
    .map(({ body }) => withoutToken(body));
  const faults = new Set(paid).size > 1 ? [`answers differ: ${[...new Set(paid)].join(' | ').slice(0, 600)}`] : [];
  return isSameEnd(story.repeat, finals(story)) ? faults : [...faults, `the repeat is ${story.repeat.status}`];
}

function isSameEnd(repeat: Answer, ends: readonly Answer[]): boolean {
  return ends.length === 0 || repeat.status === ends.at(-1)!.status;
}

function withoutToken(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), token: undefined });
}

function creditFaults(story: Story): string[] {
  if (story.cell.operation.name !== 'credits') return [];
  const wanted = isPaid(story) ? 'grant 500' : '';
  const found = story.ledger.join();
  return found === wanted ? [] : [`the ledger says "${found}" instead of "${wanted}"`];
}
