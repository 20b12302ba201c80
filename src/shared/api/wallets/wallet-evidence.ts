import { z } from 'zod';
import { MIX_CATEGORIES } from '#domain/rating/tape-market';
import { jws, responseHashOf, sha256 } from '../evidence.js';
import { CopyVerdictSchema, count, instant } from './wallet-parts.js';
import { ENTRY_POOLS, EVIDENCE_ENTRIES_MAX } from './wallet-terms.js';

/**
 * What a wallet's rating was computed from, signed (docs/interface-wallets.md, "Evidence of a
 * rating"). The payload suffices to compute all figures of the answer again.
 */

const text = z.string();
const seconds = z.int().min(0).describe('Seconds since the epoch.');
const micros = z.int().min(0);
const flag = z.literal([0, 1]);

/** One list per fact of an entry, all in one order: by time, then by token. */
const EntriesSchema = z
  .strictObject({
    token: z.array(text),
    condition: z.array(text),
    event: z.array(text).describe('Entries of one event are not independent.'),
    outcome_index: z.array(count),
    time_s: z.array(seconds).describe('First fill of the first BUY of the token.'),
    transaction: z.array(text).describe('Hash of its transaction; empty if the source does not give it.'),
    price_micros: z.array(micros).describe('Average price that the wallet paid, in micros of a dollar per share.'),
    size_micros: z.array(micros).describe('Size of that BUY, in micro-shares.'),
    clips: z.array(z.int().min(1)).describe('BUY orders of the token within a day.'),
    sold_first: z.array(flag).describe('1: sold before it was first bought.'),
    round_trip: z.array(flag).describe('1: most of it was sold within an hour near the same price.'),
    both_sided: z.array(flag).describe('1: the wallet bought two outcomes of this market.'),
    category: z.array(z.enum(MIX_CATEGORIES)),
    fee_rate_micros: z.array(micros).describe('Taker fee rate of the market, in micros.'),
    scheduled_end_s: z.array(seconds.nullable()).describe('null: the market has no end.'),
    resolved_at_s: z.array(seconds.nullable()).describe('null: not settled at as_of.'),
    payout_micros: z
      .array(micros.nullable())
      .describe('What a share paid, in micros of a dollar; null with the above.'),
    unconfirmed: z.array(flag).describe('1: the payout is known from a last price only.'),
    pool: z.array(z.enum(ENTRY_POOLS).nullable()).describe('The pool that it counts in; null: in none.'),
  })
  .describe(`One list per fact, all in the same order. At most ${EVIDENCE_ENTRIES_MAX} entries.`);

const BasisSchema = z.strictObject({
  wallet: text,
  as_of: instant.describe('Nothing at or after it was considered.'),
  rating_config: z.record(z.string(), z.number()).describe('Every cut-off of the rating.'),
  seen: z
    .strictObject({
      source: z.enum(['tape', 'venue']).describe('Whose list of trades: that of all wallets, or that of this one.'),
      from: instant.nullable().describe('Trades before it were not seen; null: all were.'),
      gap: z
        .strictObject({ from: instant, to: instant })
        .nullable()
        .describe('A time of which trades are missing, on a day on which the wallet traded.'),
      markets_not_described: count,
    })
    .describe('How much of the window was seen.'),
  counts: z
    .strictObject({
      n_excluded_updown: count,
      active_days: count,
      first_trade_at: instant.nullable(),
      last_trade_at: instant.nullable(),
    })
    .describe('What does not follow from the entries.'),
  edge_prior: z
    .array(count)
    .nullable()
    .describe('How edges are spread over all wallets, in parts per billion; what `strength` was judged by.'),
  entries: EntriesSchema.nullable().describe('null if there are too many.'),
  entries_omitted: count,
});

const WalletEvidencePayloadSchema = z.strictObject({
  kind: z.literal('wallet_rating'),
  v: z.literal(1),
  issuer: z.url().describe('Base address of the service that answered.'),
  engine: z.strictObject({ version: text, source_sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  basis: BasisSchema,
  basis_hash: sha256.describe('Over the RFC 8785 form of basis: `evidence_hash` of the wallet in a list.'),
  result: z
    .looseObject({ verdict: CopyVerdictSchema, reason_code: text, reasons: z.array(text).min(1) })
    .describe('The members of the answer that follow from basis.'),
  response_hash: responseHashOf(
    'issuer + /api/preflight_copy, whatever the door; {wallet: basis.wallet, evidence: 1}; result; method of the answer; basis.as_of',
  ),
});

export const WalletEvidenceSchema = z
  .strictObject({
    payload: WalletEvidencePayloadSchema,
    jws,
  })
  .describe('Only with evidence=1: what the rating was computed from, signed.');

/** The entries of a rating as they are written, one list per fact. */
export type EvidenceEntries = z.infer<typeof EntriesSchema>;
export type RatingBasis = z.infer<typeof BasisSchema>;
export type WalletEvidencePayload = z.infer<typeof WalletEvidencePayloadSchema>;
export type WalletEvidence = z.infer<typeof WalletEvidenceSchema>;
