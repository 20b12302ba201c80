import type { PrivateKeyAccount } from 'viem/accounts';
import { PAID_OPERATIONS } from '#test/payments/matrix/cells';
import { FAULT_COLUMNS } from '#test/payments/matrix/faults';
import { type Answer, ask, sign } from '#test/payments/matrix/payer';
import { Lives, type Seller } from '#test/payments/matrix/seller';
import { openSite, type Site } from '#test/payments/matrix/site';
import type { PaymentWorld } from '#test/support/payment-world';

/** What became of a request of an unusual shape. */
export interface Finding {
  readonly saw: string;
  readonly transfers: number;
  /** What the payer (or the seller) has to complain of; null where nothing is. */
  readonly complaint: string | null;
}

/** A way to ask that needs no fault of anybody to go wrong. */
export interface ControlRequest {
  readonly title: string;
  play(given: { world: PaymentWorld; url: string; account: PrivateKeyAccount }): Promise<Omit<Finding, 'transfers'>>;
}

const { call, priceMicros } = PAID_OPERATIONS[0]!;
const COPIES = 20;
/** Enough for every copy, so that whoever charges each of them can. */
const WALLET_MICROS = priceMicros * BigInt(COPIES);

const signed = (url: string, account: PrivateKeyAccount) => sign(url, call, { version: 2, account, windowS: null });

export const CONTROL_REQUESTS: readonly ControlRequest[] = [
  {
    title: `${COPIES} copies of one payment at once`,
    async play({ url, account }) {
      const payment = await signed(url, account);
      const answers = await Promise.all(Array.from({ length: COPIES }, () => ask(url, payment)));
      const bodies = new Set(answers.map(({ body }) => body));
      const isOne = answers.every(({ status }) => status === 200) && bodies.size === 1;
      return { saw: tally(answers), complaint: isOne ? null : 'most are told to pay again' };
    },
  },
  {
    title: 'HEAD without a payment',
    async play({ url }) {
      const { status } = await ask(url, { ...call, method: 'HEAD' });
      return { saw: String(status), complaint: status === 200 ? 'worked for nothing' : null };
    },
  },
];

/** Plays the request against a seller of its own. */
export async function playRequest(world: PaymentWorld, seller: Seller, request: ControlRequest): Promise<Finding> {
  const site: Site = await openSite(world, FAULT_COLUMNS[0]!);
  const lives = new Lives(seller, site, []);
  try {
    const account = await world.newPayer(WALLET_MICROS);
    const found = await request.play({ world, url: await lives.url(), account });
    const transfers = (await world.transfersFrom(account.address)).length;
    return { ...found, transfers, complaint: transfers > 1 ? 'charged twice' : found.complaint };
  } finally {
    await lives.end();
    await site.close();
  }
}

function tally(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status } of answers) counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count}× ${status}`).join(' ');
}
