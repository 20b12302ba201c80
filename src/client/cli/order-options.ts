import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseMarketReference } from '#domain/order/venue-url';
import type { OrderInput } from '../answers.js';
import { decimal, type PayingOptions } from './options.js';
import { UsageError } from './usage-error.js';

/** What describes an order on any book. */
export interface OrderTermOptions {
  readonly side: 'BUY' | 'SELL';
  readonly usd?: number;
  readonly maxSlippageC?: number;
  readonly vetoSlippageC?: number;
  readonly maxBookAgeS?: number;
  readonly plan?: true;
  readonly exit?: true;
  readonly limitPrice?: number;
  readonly postOnly?: true;
}

/** The same, and what else a call about an order takes beside its market. */
export interface OrderOptions extends PayingOptions, OrderTermOptions {
  readonly outcome?: string;
}

export function withOrderOptions(command: Command): Command {
  return withOrderTerms(
    command
      .argument('<market>', 'slug of a market or event, its page address, or a token id')
      .option('--outcome <name>', 'which outcome; a market of Yes and No is priced on Yes'),
  );
}

/** Adds these terms. */
export function withOrderTerms(command: Command): Command {
  return command
    .addOption(new Option('--side <side>', 'buy or sell').argParser(readSide).default('BUY'))
    .addOption(new Option('--usd <amount>', 'size in USD (100)').argParser(decimal))
    .addOption(new Option('--max-slippage-c <cents>', 'above it OK becomes CAUTION (1)').argParser(decimal))
    .addOption(new Option('--veto-slippage-c <cents>', 'from it on the verdict is VETO (3)').argParser(decimal))
    .addOption(new Option('--max-book-age-s <seconds>', 'above it the verdict is VETO (60)').argParser(decimal))
    .option('--plan', 'name the amounts of this order that the venue accepts; costs nothing more')
    .option('--exit', 'say what it costs to get out again; costs nothing more')
    .addOption(new Option('--limit-price <price>', 'also look at the order resting at this price').argParser(decimal))
    .option('--post-only', 'with --limit-price: whether the venue would refuse it as post-only');
}

/**
 * Returns the order as the service takes it. Evidence is always asked for: it is free, and a call
 * that is repeated with --json is the same purchase as one without.
 */
export function readOrder(market: string, options: OrderOptions): OrderInput {
  const { outcome } = options;
  return {
    ...targetOf(market),
    ...(outcome === undefined ? {} : { outcome }),
    ...orderTerms(options),
    evidence: 1,
  };
}

/** Returns the terms of an order as the service takes them, without its market. */
export function orderTerms(options: OrderTermOptions): Omit<OrderInput, 'slug' | 'token_id' | 'outcome' | 'evidence'> {
  const { side, usd, maxSlippageC, vetoSlippageC, maxBookAgeS, plan, exit, limitPrice, postOnly } = options;
  return {
    side,
    ...(usd === undefined ? {} : { usd }),
    ...(maxSlippageC === undefined ? {} : { max_slippage_c: maxSlippageC }),
    ...(vetoSlippageC === undefined ? {} : { veto_slippage_c: vetoSlippageC }),
    ...(maxBookAgeS === undefined ? {} : { max_book_age_s: maxBookAgeS }),
    ...(plan === undefined ? {} : { plan: 1 as const }),
    ...(exit === undefined ? {} : { exit: 1 as const }),
    ...(limitPrice === undefined ? {} : { limit_price: limitPrice }),
    ...(postOnly === undefined ? {} : { post_only: 1 as const }),
  };
}

/** A token id, or the slug or page address of a market. Throws a UsageError: it is something else. */
function targetOf(market: string): { readonly token_id: string } | { readonly slug: string } {
  const given = market.trim();
  if (/^\d+$/.test(given)) return { token_id: given };
  const reference = parseMarketReference(given);
  if (reference.kind === 'invalid') throw new UsageError(`${reference.why}. Nothing was sent`);
  return { slug: given };
}

function readSide(text: string): 'BUY' | 'SELL' {
  const side = text.trim().toUpperCase();
  if (side !== 'BUY' && side !== 'SELL') throw new InvalidArgumentError('Give buy or sell.');
  return side;
}
