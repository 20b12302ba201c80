import type { LedgerEntry } from '#domain/credits/credits';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { checkStore } from '#services/integrity/check';
import { type Dice, throwDice } from '#test/support/killed-process';
import type { Call } from './calls.js';
import { Clients, type HistoryCode, type HistoryWallet } from './clients.js';
import { linearize } from './linearizable.js';
import { makeTrouble } from './troubles.js';
import type { HistoryWorld } from './world.js';

const WALLETS = 6;
const PLENTY = 1_000_000;
/** Half of the wallets have so few that calls are refused. */
const FEW = 20;
const VALID_DAYS = 300;
const CODE_INTERVAL_MS = 2_000;
/** Fewer than there are wallets. */
const CODE_WALLETS_MAX = 4;
const CODE_CREDITS = 7;
const LEDGER_MAX = 1_000_000;
/** All that may be said while replicas and their database die. */
const EXPECTED =
  /^(200|402 insufficient_credits|409 promo_already_redeemed|410 promo_gone|no answer|500 store_unavailable|50\d (shutting_down|overloaded|venue_unavailable)|429 overloaded)$/;

export interface Played {
  readonly calls: number;
  /** Nothing that cannot be is in them. */
  readonly breaches: readonly string[];
  /** For people. */
  readonly report: string;
}

/** Lets clients call while there is trouble, and judges what they saw. */
export async function playHistory(
  world: HistoryWorld,
  { clients, forMs, dice = throwDice() }: { readonly clients: number; readonly forMs: number; readonly dice?: Dice },
): Promise<Played> {
  const wallets = await Promise.all(
    Array.from({ length: WALLETS }, (_, n) => openWallet(world, n, n % 2 === 0 ? PLENTY : FEW)),
  );
  const withoutKeys = await openWallet(world, WALLETS, PLENTY);
  const codes = await makeCodes(world, Math.ceil(forMs / CODE_INTERVAL_MS));
  const fromMs = performance.now();
  const untilMs = fromMs + forMs;
  const callers = new Clients(world, { wallets, withoutKeys, codes, dice, fromMs, untilMs });
  const [troubles] = await Promise.all([makeTrouble(world, { dice, untilMs }), callers.run(clients)]);
  const calls = wallets.flatMap((wallet) => wallet.calls);
  const breaches = [
    ...(await oneByOne(wallets, (wallet) => ledgerFaults(world, wallet))),
    ...(await oneByOne(wallets, (wallet) => strangeOf(world, wallet))),
    ...(await lostOf(world, withoutKeys.address, callers.acknowledged)),
    ...callers.neverAnswered.map((requested) => `never answered: ${JSON.stringify(requested)}`),
    ...[...callers.said.keys()].filter((what) => !EXPECTED.test(what)).map((what) => `somebody was told ${what}`),
    ...(await codeFaults(world, codes)),
    ...(await unsound(world)),
  ];
  const report = [
    `seed ${dice.seed}: ${calls.length} calls of ${clients} clients in ${Math.round(forMs / 1e3)} s, ` +
      `${calls.filter(({ sent }) => sent > 1).length} of them repeated, ${calls.filter(isUnanswered).length} given up`,
    `troubles: ${listOf(troubles)}`,
    `answers: ${listOf(callers.said)}`,
  ].join('\n');
  return { calls: calls.length, breaches: breaches.map((breach) => `seed ${dice.seed}: ${breach}`), report };
}

/** A search holds this process: nobody must wait for the store meanwhile. */
async function oneByOne(
  wallets: readonly HistoryWallet[],
  look: (wallet: HistoryWallet) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const wallet of wallets) found.push(...(await look(wallet)));
  return found;
}

async function openWallet({ home }: HistoryWorld, n: number, balance: number): Promise<HistoryWallet> {
  const address = parseWallet(`0x${(n + 1).toString(16).padStart(40, '0')}`) as WalletAddress;
  const { token } = await home.credits.grant(address, balance, VALID_DAYS, 'history');
  return { address, token: token!, balance, calls: [], recentKeys: [] };
}

async function makeCodes({ home }: HistoryWorld, count: number): Promise<readonly HistoryCode[]> {
  const codes = Array.from({ length: count }, (_, n) => ({ code: `HISTORY-${n}`, credits: CODE_CREDITS }));
  const terms = { walletsMax: CODE_WALLETS_MAX, days: VALID_DAYS };
  for (const code of codes) await home.credits.createPromo({ ...code, ...terms });
  return codes;
}

async function strangeOf(world: HistoryWorld, { address, calls, balance }: HistoryWallet): Promise<string[]> {
  const finding = linearize(await lookedUp(world, address, calls), balance);
  return finding.kind === 'linearizable' ? [] : [`wallet ${address} is ${finding.kind}: ${finding.text}`];
}

/**
 * What was never answered is looked up: when it is all over, the store says what became of it, if
 * anything did.
 */
async function lookedUp(
  { home }: HistoryWorld,
  wallet: WalletAddress,
  calls: readonly Call[],
): Promise<readonly Call[]> {
  const ledger = new Map((await home.store.ledger(wallet, LEDGER_MAX)).map((entry) => [entry.operation, entry]));
  const look = async (call: Call): Promise<readonly Call[]> => {
    const { requested } = call;
    if (requested.kind === 'charge' && requested.seen === 'too little' && call.sent > 1) {
      // What was sent before, and was not answered, may have been carried out later by a replica
      // that stood still.
      const earlier = { ...call, requested: { ...requested, seen: null }, endedMs: Number.POSITIVE_INFINITY };
      return [call, ...(await look(earlier))];
    }
    if (requested.seen !== null || requested.kind === 'redeem') return [call];
    if (requested.kind === 'grant') {
      const entry = ledger.get(`grant: ${requested.note}`);
      return entry === undefined
        ? []
        : [{ ...call, requested: { ...requested, seen: { balance: entry.balanceAfter } } }];
    }
    const answer = await home.store.answer({ wallet, code: null, key: requested.key });
    if (answer === null) return [];
    const { paid } = JSON.parse(answer.body) as { readonly paid: { readonly credits_remaining: number } };
    return [
      {
        ...call,
        requested: { ...requested, seen: { kind: 'charged', left: paid.credits_remaining, isReplay: false } },
      },
    ];
  };
  return (await Promise.all(calls.map(look))).flat();
}

/**
 * What was acknowledged is in the ledger once, and what is there more was asked for by somebody who
 * was not answered.
 */
async function ledgerFaults({ home }: HistoryWorld, { address, calls, balance }: HistoryWallet): Promise<string[]> {
  const ledger = await home.store.ledger(address, LEDGER_MAX);
  const sum = (kind: LedgerEntry['kind']) =>
    ledger.filter((entry) => entry.kind === kind).reduce((all, { credits }) => all + credits, 0);
  const of = <Kind extends Call['requested']['kind']>(kind: Kind) =>
    calls.filter((call): call is Call & { requested: { kind: Kind } } => call.requested.kind === kind);
  const keys = (charges: readonly { readonly requested: { readonly key: string } }[]) =>
    new Set(charges.map(({ requested }) => requested.key));
  const charged = keys(
    of('charge').filter(({ requested }) => requested.seen !== null && requested.seen !== 'too little'),
  );
  const perhaps = keys(of('charge')).size;
  const debited = sum('debit');
  const isRight = debited >= charged.size && debited <= perhaps;
  const left = ledger.at(-1)!.balanceAfter;
  const isSum = left === sum('grant') - debited;
  return [
    ...(isRight ? [] : [`wallet ${address}: ${debited} debits, ${charged.size} to ${perhaps} keys were charged`]),
    ...(isSum
      ? []
      : [`wallet ${address}: ${left} left of ${sum('grant')} after ${debited} debits (began with ${balance})`]),
  ];
}

async function lostOf(
  { home }: HistoryWorld,
  wallet: WalletAddress,
  acknowledged: readonly string[],
): Promise<string[]> {
  const times = new Map<string | null, number>();
  for (const { kind, requestId } of await home.store.ledger(wallet, LEDGER_MAX))
    if (kind === 'debit') times.set(requestId, (times.get(requestId) ?? 0) + 1);
  return acknowledged
    .filter((requestId) => times.get(requestId) !== 1)
    .map((requestId) => `request ${requestId} was answered, and debited ${times.get(requestId) ?? 0} times`);
}

async function codeFaults({ home }: HistoryWorld, codes: readonly HistoryCode[]): Promise<string[]> {
  const promos = await home.credits.listPromos();
  const over = promos
    .filter(({ redeemed }) => redeemed > CODE_WALLETS_MAX)
    .map(({ code }) => `${code} was redeemed too often`);
  return promos.length === codes.length ? over : [...over, `${promos.length} codes of ${codes.length} are there`];
}

async function unsound({ home }: HistoryWorld): Promise<string[]> {
  const { faults } = await checkStore({ store: home.store, ratings: null }, () => undefined);
  return faults.map(({ where, what }) => `${where}: ${what}`);
}

function isUnanswered({ endedMs }: Call): boolean {
  return endedMs === Number.POSITIVE_INFINITY;
}

function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
}
