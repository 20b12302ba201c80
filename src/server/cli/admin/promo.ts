import type { Command } from 'commander';
import { type Promo, parsePromoCode, promoState, type Redemption } from '#domain/credits/promo';
import type { Store } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { storedNameOf } from '#services/credits/promo-names';
import { pagesOf } from '#services/integrity/pages';
import { type Subject, subjectOf, withSubject } from '../subject.js';
import { type AdminOptions, isoTime, type Report, readAdmin, runAdmin, wholeNumber, withAdminOptions } from './run.js';
import { table } from './table.js';
import { runTaking, type TakingOptions, withTakingOptions } from './taking.js';

type CreateOptions = AdminOptions & {
  readonly code: string;
  readonly credits: number;
  readonly wallets: number;
  readonly days: number;
};

const CODE: Subject<string> = { name: 'code', about: 'the code, in any case', formerOption: 'code' };

/** Adds `promo create`, `promo list` and `promo revoke`. */
export function addPromoCommands(admin: Command): void {
  const promo = admin.command('promo').description('promotional codes');
  withAdminOptions(promo.command('create'))
    .description('make a code that gives free credits to the first wallets that redeem it')
    .requiredOption('--code <code>', '3 to 64 letters, digits, "_" or "-"; case does not matter')
    .requiredOption('--credits <n>', 'credits for each wallet', wholeNumber)
    .requiredOption('--wallets <n>', 'how many wallets may redeem it', wholeNumber)
    .requiredOption('--days <n>', 'how long it can be redeemed', wholeNumber)
    .action((options: CreateOptions) => create(options));
  withAdminOptions(promo.command('list'))
    .description('show all codes')
    .action((options: AdminOptions) => list(options));
  withSubject(withAdminOptions(promo.command('show')), CODE)
    .description('show a code, and which wallets redeemed it')
    .action((code: string | undefined, options: AdminOptions & { readonly code?: string }) =>
      show({ ...options, code: subjectOf('code', code, options.code) }),
    );
  withSubject(withTakingOptions(withAdminOptions(promo.command('revoke'))), CODE)
    .description('end a code and take back what is left of the credits it gave')
    .action((code: string | undefined, options: TakingOptions & { readonly code?: string }) =>
      revoke({ ...options, code: subjectOf('code', code, options.code) }),
    );
}

function create(options: CreateOptions): Promise<void> {
  const { code, credits, wallets, days } = options;
  return runAdmin(options, async (module) => {
    const answer = await module.credits.createPromo({ code, credits, walletsMax: wallets, days });
    if (answer === 'exists') throw new Error(`code ${parsePromoCode(code)} exists already; choose another`);
    const made = (await module.credits.listPromos()).find((promo) => promo.code === parsePromoCode(code));
    if (made === undefined) throw new Error(`code ${parsePromoCode(code)} is gone again; try once more`);
    const shown = toJson(made, module.clock.nowMs());
    const text = `${made.code}: ${credits} credits for each of the first ${wallets} wallets, until ${shown.expires}`;
    return { json: shown, text };
  });
}

function list(options: AdminOptions): Promise<void> {
  return readAdmin(options, async ({ credits, clock }): Promise<Report> => {
    const promos = (await credits.listPromos()).map((promo) => toJson(promo, clock.nowMs()));
    return { json: { promos }, text: promos.length === 0 ? 'no codes' : rowsOf(promos) };
  });
}

function show(options: AdminOptions & { readonly code: string }): Promise<void> {
  return readAdmin(options, async ({ store, key, credits, clock }): Promise<Report> => {
    const found = await codeOf(credits, options.code);
    const redemptions = await redemptionsOf(store, await storedNameOf({ store, key }, found.code));
    const promo = toJson(found, clock.nowMs());
    const wallets = redemptions.map(({ wallet, atMs }) => ({ wallet, redeemed: isoTime(atMs) }));
    const lines = table(
      ['WALLET', 'REDEEMED'],
      wallets.map(({ wallet, redeemed }) => [wallet, redeemed]),
    );
    return { json: { ...promo, redemptions: wallets }, text: `${rowsOf([promo])}\n\n${lines}` };
  });
}

/** All wallets that redeemed a code, the first ones first. */
async function redemptionsOf(store: Store, name: string): Promise<readonly Redemption[]> {
  const all: Redemption[] = [];
  for await (const { items } of pagesOf((from, limit) => store.redemptions(name, from, limit))) all.push(...items);
  return all.sort((a, b) => a.atMs - b.atMs);
}

function revoke(options: TakingOptions & { readonly code: string }): Promise<void> {
  return runTaking(options, {
    describe: async ({ credits }) => {
      const { code, redeemed } = await codeOf(credits, options.code);
      return `end the code ${code} and take back what is left of the credits of ${redeemed} wallets`;
    },
    take: async ({ credits }) => {
      const done = await credits.revokePromo(options.code);
      if (done.kind === 'unknown_code') throw noSuchCode(options.code);
      return {
        json: { code: done.code, wallets: done.wallets, credits_revoked: done.creditsTakenBack },
        text: `${done.code}: revoked; took ${done.creditsTakenBack} credits back from ${done.wallets} wallets`,
        isDone: !done.wasOver || done.creditsTakenBack > 0,
      };
    },
  });
}

async function codeOf(credits: Pick<Credits, 'listPromos'>, text: string): Promise<Promo> {
  const code = parsePromoCode(text);
  const found = (await credits.listPromos()).find((one) => one.code === code);
  if (found === undefined) throw noSuchCode(text);
  return found;
}

function noSuchCode(text: string): Error {
  return new Error(`there is no code ${text}; see preflightctl admin promo list`);
}

type PromoJson = ReturnType<typeof toJson>;

function toJson(promo: Promo, nowMs: number) {
  return {
    code: promo.code,
    state: promoState(promo, nowMs),
    credits: promo.credits,
    wallets_max: promo.walletsMax,
    redeemed: promo.redeemed,
    created: isoTime(promo.createdAtMs),
    expires: isoTime(promo.expiresAtMs),
    revoked: promo.revokedAtMs === null ? null : isoTime(promo.revokedAtMs),
  };
}

function rowsOf(promos: readonly PromoJson[]): string {
  const rows = promos.map((promo) => [
    promo.code,
    promo.state,
    String(promo.credits),
    `${promo.redeemed}/${promo.wallets_max}`,
    promo.expires,
  ]);
  return table(['CODE', 'STATE', 'CREDITS', 'REDEEMED', 'EXPIRES'], rows);
}
