import { type Command, Option } from 'commander';
import type { WalletAddress } from '#domain/ids';
import { PAYMENT_STATES, type PaymentRow } from '#domain/payment/payment-row';
import { moment } from '../moment.js';
import { paymentHash, paymentOf, paymentsThat } from './find-payments.js';
import { type AdminOptions, isoTime, type Report, readAdmin, wallet, wholeNumber, withAdminOptions } from './run.js';
import { table, toTheSecond } from './table.js';

type ListOptions = AdminOptions & {
  readonly wallet?: WalletAddress;
  readonly transaction?: string;
  readonly state?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
};

type OneOptions = AdminOptions & { readonly wallet?: WalletAddress };

const PAYMENTS_SHOWN = 50;

/** Adds `payments list` and `payments show`: what was paid on the chain, and for what. */
export function addPaymentsCommands(admin: Command): void {
  const payments = admin.command('payments').description('payments with x402');
  withAdminOptions(payments.command('list'))
    .description('the newest payments, of all or of those that fit')
    .addOption(new Option('--wallet <address>', 'who paid').argParser(wallet))
    .addOption(new Option('--transaction <hash>', 'the transaction that paid').argParser(paymentHash))
    .addOption(new Option('--state <state>', 'its state').choices(PAYMENT_STATES))
    .addOption(new Option('--from <time>', 'began at this time (ISO 8601) or later').argParser(moment))
    .addOption(new Option('--to <time>', 'began before this time').argParser(moment))
    .addOption(new Option('--limit <n>', 'how many').argParser(wholeNumber).default(PAYMENTS_SHOWN))
    .action((options: ListOptions) => list(options));
  withAdminOptions(payments.command('show'))
    .description('all that is kept of one payment')
    .argument('<hash>', 'the transaction that paid, or the nonce of the authorization', paymentHash)
    .addOption(new Option('--wallet <address>', 'who paid, where several have it').argParser(wallet))
    .action((hash: string, options: OneOptions) => show(hash, options));
}

function list(options: ListOptions): Promise<void> {
  return readAdmin(options, async ({ store }): Promise<Report> => {
    const found = await paymentsThat(store, (row) => fits(row, options));
    const payments = found.slice(0, options.limit).map(paymentJson);
    const rows = payments.map((one) => [toTheSecond(one.at), one.state, one.usdc, one.operation, one.wallet]);
    const [head, ...lines] = table(['AT', 'STATE', 'USDC', 'FOR', 'WALLET'], rows).split('\n');
    // Below each line what `payments show` takes: beside it there is no room.
    const below = payments.map(({ transaction, nonce }) => `  ${transaction ?? nonce}`);
    const shown = [`${head}\n  PAYMENT`, ...lines.map((line, at) => `${line}\n${below[at]}`)].join('\n');
    const more = found.length - payments.length;
    const hint = more === 0 ? '' : `\n\nand ${more} older: --limit ${found.length} shows all of them`;
    const text = found.length === 0 ? 'no payments' : `${shown}${hint}`;
    return { json: { found: found.length, payments }, text };
  });
}

function fits({ payment, transaction: hash, state, createdAtMs }: PaymentRow, options: ListOptions): boolean {
  const { wallet: owner, transaction: wanted, state: wantedState, from, to } = options;
  if (owner !== undefined && payment.authorization.from !== owner) return false;
  if (wanted !== undefined && hash !== wanted) return false;
  if (wantedState !== undefined && state !== wantedState) return false;
  return createdAtMs >= (from ?? 0) && createdAtMs < (to ?? Number.POSITIVE_INFINITY);
}

function show(hash: string, options: OneOptions): Promise<void> {
  return readAdmin(options, async ({ store }): Promise<Report> => {
    const row = await paymentOf(store, hash, options.wallet);
    const json = { ...paymentJson(row), body: row.body };
    const lines = Object.entries(json).map(([name, value]) => [name, value === null ? '-' : String(value)]);
    return { json, text: table(['FIELD', 'VALUE'], lines) };
  });
}

/** A payment as commands show it. */
export function paymentJson(row: PaymentRow) {
  const {
    payment,
    demand,
    state,
    operation,
    requestId,
    transaction: hash,
    failReason,
    open,
    proof,
    refundedAtMs,
  } = row;
  return {
    at: isoTime(row.createdAtMs),
    updated: isoTime(row.updatedAtMs),
    state,
    open,
    operation,
    usdc: (Number(demand.amountMicros) / 1e6).toFixed(2),
    wallet: payment.authorization.from,
    nonce: payment.authorization.nonce,
    transaction: hash,
    proof: proof?.kind ?? null,
    refunded: refundedAtMs === undefined ? null : isoTime(refundedAtMs),
    fail_reason: failReason,
    request_id: requestId,
  };
}
