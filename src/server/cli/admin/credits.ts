import { type Command, Option } from 'commander';
import { balanceAt, emptyAccount } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import { creditsWorth, refundPayment, whyNotRefundable } from '#services/payments/refund';
import { UsageError } from '../exit.js';
import { subjectOf, withSubject } from '../subject.js';
import { paymentHash, paymentOf } from './find-payments.js';
import {
  type AdminOptions,
  changeAdmin,
  isoTime,
  type Report,
  runAdmin,
  wallet,
  wholeNumber,
  withAdminOptions,
} from './run.js';
import { runTaking, type TakingOptions, withTakingOptions } from './taking.js';

type GrantOptions = AdminOptions & {
  readonly wallet: WalletAddress;
  readonly credits: number;
  readonly days: number;
  readonly note: string;
};

type RevokeOptions = TakingOptions & {
  readonly wallet?: WalletAddress;
  readonly credits?: number;
  readonly all?: true;
  readonly note: string;
};

type RefundOptions = AdminOptions & {
  readonly payment?: string;
  readonly wallet?: WalletAddress;
  readonly dryRun?: true;
};

/**
 * Credits given by hand live as long as bought ones, unless set otherwise
 * (docs/interface-paying.md, "Credit resources").
 */
const GRANT_DAYS = 365;

/** Adds `credits grant`, `credits revoke` and `credits refund`. */
export function addCreditsCommands(admin: Command): void {
  const credits = admin.command('credits').description('credits of a wallet');
  withAdminOptions(credits.command('grant'))
    .description('give credits; mints a token if the wallet has no valid one')
    .requiredOption('--wallet <address>', 'whose', wallet)
    .requiredOption('--credits <n>', 'how many', wholeNumber)
    .option('--days <n>', 'how long they can be spent', wholeNumber, GRANT_DAYS)
    .option('--note <text>', 'why; kept in the ledger', '')
    .action((options: GrantOptions) => grant(options));
  withSubject(withTakingOptions(withAdminOptions(credits.command('revoke'))), {
    name: 'wallet',
    about: 'whose',
    parse: wallet,
    formerOption: 'wallet',
  })
    .description('take credits away, those that expire first before the others')
    .addOption(new Option('--credits <n>', 'how many at most').argParser(wholeNumber).conflicts('all'))
    .option('--all', 'all of them')
    .option('--note <text>', 'why; kept in the ledger', '')
    .action((owner: WalletAddress | undefined, options: RevokeOptions) =>
      revoke(subjectOf('wallet', owner, options.wallet), options),
    );
  withSubject(withAdminOptions(credits.command('refund')), {
    name: 'hash',
    about: 'the transaction that paid, or the nonce of the authorization',
    parse: paymentHash,
    formerOption: 'payment',
  })
    .description('give the price of a payment back to its payer, in credits and once')
    .addOption(new Option('--wallet <address>', 'who paid, where several have it').argParser(wallet))
    .option('--dry-run', 'say what it would do, and do nothing')
    .action((hash: string | undefined, options: RefundOptions) =>
      refund(subjectOf('hash', hash, options.payment), options),
    );
}

function grant(options: GrantOptions): Promise<void> {
  const { wallet: owner, credits: given, days, note } = options;
  return runAdmin(options, async ({ credits }) => {
    const { balance, expiresAtMs, token } = await credits.grant(owner, given, days, note);
    const expires = isoTime(expiresAtMs);
    const added = `${owner}: ${given} credits added, balance ${balance}; these expire ${expires}`;
    return {
      json: { wallet: owner, credits_added: given, balance, expires, token },
      text: token === null ? added : `${added}\ntoken (shown only this once): ${token}`,
    };
  });
}

async function revoke(owner: WalletAddress, options: RevokeOptions): Promise<void> {
  const wanted = options.all ? 'all' : options.credits;
  if (wanted === undefined) throw new UsageError('give a number: --credits N, or --all');
  await runTaking(options, {
    describe: async ({ store, clock }) => {
      const balance = balanceAt((await store.account(owner)) ?? emptyAccount(owner), clock.nowMs());
      return `take ${wanted === 'all' ? balance : Math.min(wanted, balance)} of the ${balance} credits of ${owner}`;
    },
    take: async ({ credits }) => {
      const { revoked, balance } = await credits.revokeCredits(owner, wanted, options.note);
      return {
        json: { wallet: owner, credits_revoked: revoked, balance },
        text: `${owner}: ${revoked} credits revoked, balance ${balance}`,
        isDone: revoked > 0,
      };
    },
  });
}

function refund(hash: string, options: RefundOptions): Promise<void> {
  return changeAdmin(options, async (module): Promise<Report> => {
    const row = await paymentOf(module.store, hash, options.wallet);
    const why = whyNotRefundable(row);
    if (why !== null) return notRefunded(why);
    const payer = row.payment.authorization.from;
    if (options.dryRun) {
      const would = `give ${creditsWorth(row)} credits to ${payer}`;
      return { json: { dry_run: true, would }, text: `this would ${would}` };
    }
    const end = await refundPayment(module, row);
    if (end.kind === 'refused') return notRefunded(end.why);
    const { credits, balance } = end;
    return {
      json: { wallet: payer, credits_added: credits, balance, transaction: row.transaction },
      text: `${payer}: ${credits} credits for ${row.transaction}, balance ${balance}; without a token it gets one at POST /api/credits/token`,
    };
  });
}

function notRefunded(why: string): Report {
  return { json: { done: false, why }, text: `nothing was given back: ${why}`, isDone: false };
}
