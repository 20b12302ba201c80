import { type Command, Option } from 'commander';
import type { CreditsModule } from '#compose/credits';
import { balanceAt, emptyAccount, type LedgerEntry, type Lot } from '#domain/credits/credits';
import type { TokenRecord } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import { readable } from '#services/credits/promo-names';
import { moment } from '../moment.js';
import { paymentsThat } from './find-payments.js';
import { paymentJson } from './payments.js';
import { type AdminOptions, isoTime, type Report, readAdmin, wallet, wholeNumber, withAdminOptions } from './run.js';
import { shortened, table, toTheSecond } from './table.js';

const ENTRIES_SHOWN = 50;
/** The last payments of a wallet; those that are open are shown beside them. */
const PAYMENTS_SHOWN = 10;

type LedgerOptions = AdminOptions & { readonly from?: number; readonly to?: number; readonly limit?: number };

/** Adds `wallet show` and `ledger`: what a wallet has, and how it came to be so. */
export function addWalletCommands(admin: Command): void {
  const wallets = admin.command('wallet').description('what is known of a wallet');
  withAdminOptions(wallets.command('show'))
    .description('balance by where the credits came from, tokens without their secrets, redeemed codes, last payments')
    .argument('<wallet>', 'its address', wallet)
    .action((owner: WalletAddress, options: AdminOptions) => show(owner, options));
  withAdminOptions(admin.command('ledger'))
    .description('the newest movements of a wallet, in the order in which they happened')
    .argument('<wallet>', 'its address', wallet)
    .addOption(new Option('--from <time>', 'at this time (ISO 8601) or later').argParser(moment))
    .addOption(new Option('--to <time>', 'before this time').argParser(moment))
    .addOption(new Option('--limit <n>', 'how many; 50 without any of these').argParser(wholeNumber))
    .action((owner: WalletAddress, options: LedgerOptions) => ledger(owner, options));
}

function show(owner: WalletAddress, options: AdminOptions): Promise<void> {
  return readAdmin(options, async (module): Promise<Report> => {
    const { store, clock } = module;
    const account = (await store.account(owner)) ?? emptyAccount(owner);
    const codes = await codesOf(module);
    const nowMs = clock.nowMs();
    const lots = account.lots.map((lot) => lotJson(lot, codes, nowMs));
    const tokens = ((await store.tokens(owner))?.tokens ?? []).map((token) => tokenJson(token, codes));
    const balance = balanceAt(account, nowMs);
    const to_be_answered = account.unanswered.length;
    const redemptions = await redemptionsOf(module, owner);
    const payments = (await paymentsThat(store, ({ payment }) => payment.authorization.from === owner)).map(
      paymentJson,
    );
    const last = payments.filter((one, i) => one.open || i < PAYMENTS_SHOWN);
    return {
      json: { wallet: owner, balance, lots, tokens, redemptions, payments: last, to_be_answered },
      text: walletText(`${owner}: balance ${balance}`, { lots, tokens, redemptions, payments: last }),
    };
  });
}

interface Shown {
  readonly lots: readonly LotJson[];
  readonly tokens: readonly TokenJson[];
  readonly redemptions: readonly RedemptionJson[];
  readonly payments: readonly PaymentJson[];
}

function walletText(head: string, { lots, tokens, redemptions, payments }: Shown): string {
  const lotRows = lots.map((lot) => [
    lot.kind,
    `${lot.left}/${lot.credits}`,
    toTheSecond(lot.given),
    toTheSecond(lot.expires),
    shortened(lot.source),
  ]);
  const tokenRows = tokens.map(({ scope, code, issued }) => [scope, code ?? '', toTheSecond(issued)]);
  const redeemedRows = redemptions.map(({ code, at }) => [code, toTheSecond(at)]);
  const paymentRows = payments.map((one) => [
    toTheSecond(one.at),
    one.state,
    one.usdc,
    one.operation,
    shortened(one.transaction ?? one.nonce),
  ]);
  return [
    head,
    lots.length === 0 ? 'no credits' : table(['CREDITS', 'LEFT', 'GIVEN', 'EXPIRE', 'FOR'], lotRows),
    tokens.length === 0 ? 'no tokens' : table(['TOKEN', 'CODE', 'ISSUED'], tokenRows),
    redemptions.length === 0 ? 'no codes redeemed' : table(['REDEEMED', 'AT'], redeemedRows),
    payments.length === 0
      ? 'no payments'
      : table(['PAID', 'STATE', 'USDC', 'FOR', 'TRANSACTION OR NONCE'], paymentRows),
  ].join('\n\n');
}

type RedemptionJson = Awaited<ReturnType<typeof redemptionsOf>>[number];
type PaymentJson = ReturnType<typeof paymentJson>;
type LotJson = ReturnType<typeof lotJson>;
type TokenJson = ReturnType<typeof tokenJson>;
/** Codes by the names that rows have for them. */
type Codes = ReadonlyMap<string, string>;

function lotJson({ kind, remaining, credits, grantedAtMs, expiresAtMs, source }: Lot, codes: Codes, nowMs: number) {
  return {
    kind,
    credits,
    left: expiresAtMs > nowMs ? remaining : 0,
    given: isoTime(grantedAtMs),
    expires: isoTime(expiresAtMs),
    source: codes.get(source) ?? source,
  };
}

function tokenJson({ scope, code, issuedAtMs }: TokenRecord, codes: Codes) {
  return { scope, code: code === null ? null : (codes.get(code) ?? code), issued: isoTime(issuedAtMs) };
}

function ledger(owner: WalletAddress, options: LedgerOptions): Promise<void> {
  return readAdmin(options, async (module): Promise<Report> => {
    const codes = await codesOf(module);
    const entries = (await newestEntries(module.store, owner, options)).map((entry) => entryJson(entry, codes));
    const rows = entries.map((one) => [
      String(one.number),
      toTheSecond(one.at),
      one.kind,
      String(one.credits),
      String(one.balance_after),
      shortened(one.operation),
      one.request_id ?? '',
    ]);
    const head = ['NO', 'AT', 'KIND', 'CREDITS', 'BALANCE', 'FOR', 'REQUEST'];
    return { json: { wallet: owner, entries }, text: entries.length === 0 ? 'no entries' : table(head, rows) };
  });
}

/** The newest entries of a span of time, the oldest of them first. */
async function newestEntries(
  store: Store,
  owner: WalletAddress,
  { from = 0, to = Number.POSITIVE_INFINITY, limit: wanted }: LedgerOptions,
): Promise<readonly LedgerEntry[]> {
  const lastEntry = (await store.account(owner))?.lastEntry ?? 0;
  const isWhole = from === 0 && to === Number.POSITIVE_INFINITY;
  const limit = wanted ?? (isWhole ? ENTRIES_SHOWN : lastEntry);
  const entries = await store.ledger(owner, isWhole ? limit : lastEntry);
  const meant = entries.filter(({ atMs }) => atMs >= from && atMs < to);
  return limit === 0 ? [] : meant.slice(-limit);
}

function entryJson({ number, atMs, kind, credits, balanceAfter, operation, requestId }: LedgerEntry, codes: Codes) {
  const [verb = '', name = ''] = operation.split(' ');
  const said = codes.has(name) ? `${verb} ${codes.get(name)}` : operation;
  return {
    number,
    at: isoTime(atMs),
    kind,
    credits,
    balance_after: balanceAfter,
    operation: said,
    request_id: requestId,
  };
}

/** Which codes a wallet redeemed, by looking at each: there are few codes. */
async function redemptionsOf({ store, key }: CreditsModule, owner: WalletAddress) {
  const found: { readonly code: string; readonly at: string }[] = [];
  for (const promo of await store.promos()) {
    const redemption = await store.redemption(promo.code, owner);
    if (redemption !== null) found.push({ code: readable({ key }, promo).code, at: isoTime(redemption.atMs) });
  }
  return found;
}

async function codesOf({ store, key }: CreditsModule): Promise<Codes> {
  return new Map((await store.promos()).map((promo) => [promo.code, readable({ key }, promo).code]));
}
