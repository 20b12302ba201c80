import { ENTRY_POOLS, EVIDENCE_ENTRIES_MAX } from '#api/wallets/wallet-terms';
import { asObject } from '#domain/json';
import { PUBLISHED_CONFIGS, RATING_CONFIG } from '#domain/rating/rating-config';
import { EDGES } from '#domain/rating/strength/edge-grid';
import { MIX_CATEGORIES } from '#domain/rating/tape-market';
import {
  type Form,
  instant,
  listOf,
  matching,
  members,
  oneOf,
  orNull,
  TIME_S_MAX,
  text,
  that,
  url,
  wholeBetween,
} from './forms.js';

/**
 * The form of a rating's evidence (src/shared/api/wallets/wallet-evidence.ts) with the bounds that
 * the rating is made for. It is looked at before anything is computed.
 */

const TEXT_LENGTH_MAX = 1_000;
const DOLLAR_MICROS = 1_000_000;
/** More outcomes than any market has. */
const OUTCOMES_MAX = 1_000;

const count = wholeBetween(0, Number.MAX_SAFE_INTEGER);
const name = that((value) => typeof value === 'string' && value.length <= TEXT_LENGTH_MAX);
const sha256 = matching(/^sha256:[0-9a-f]{64}$/);
const column = (form: Form) => listOf(form, { min: 0, max: EVIDENCE_ENTRIES_MAX });
const bit = oneOf(0, 1);
const price = wholeBetween(0, DOLLAR_MICROS);
const seconds = wholeBetween(0, TIME_S_MAX);

const columns = {
  token: column(name),
  condition: column(name),
  event: column(name),
  outcome_index: column(wholeBetween(0, OUTCOMES_MAX - 1)),
  time_s: column(seconds),
  transaction: column(name),
  price_micros: column(price),
  size_micros: column(count),
  clips: column(wholeBetween(1, Number.MAX_SAFE_INTEGER)),
  sold_first: column(bit),
  round_trip: column(bit),
  both_sided: column(bit),
  category: column(oneOf(...MIX_CATEGORIES)),
  fee_rate_micros: column(price),
  scheduled_end_s: column(orNull(seconds)),
  resolved_at_s: column(orNull(seconds)),
  payout_micros: column(orNull(price)),
  unconfirmed: column(bit),
  pool: column(oneOf(...ENTRY_POOLS, null)),
};
const ofColumns = members(columns);

/** All lists have to be equally long. */
const entries: Form = (value, path) => {
  const fault = ofColumns(value, path);
  if (fault !== null) return fault;
  const lists = Object.entries(asObject(value)!) as [string, readonly unknown[]][];
  const odd = lists.find(([, list]) => list.length !== lists[0]![1].length);
  return odd === undefined ? null : `${path}.${odd[0]}`;
};

/** Each cut-off of a rating of its score version. */
const config: Form = (value, path) => {
  const given = asObject(value);
  if (given === null) return path;
  const published = PUBLISHED_CONFIGS.find(({ scoreVersion }) => scoreVersion === given.scoreVersion) ?? RATING_CONFIG;
  const missing = Object.keys(published).find((one) => !Number.isFinite(given[one]));
  if (missing !== undefined) return `${path}.${missing}`;
  return Object.values(given).every(Number.isFinite) ? null : path;
};

const FORM = members({
  kind: oneOf('wallet_rating'),
  v: oneOf(1),
  issuer: url,
  engine: members({ version: text, source_sha256: matching(/^[0-9a-f]{64}$/) }),
  basis: members({
    wallet: name,
    as_of: instant,
    rating_config: config,
    seen: members({
      source: oneOf('tape', 'venue'),
      from: orNull(instant),
      gap: orNull(members({ from: instant, to: instant })),
      markets_not_described: count,
    }),
    counts: members({
      n_excluded_updown: count,
      active_days: count,
      first_trade_at: orNull(instant),
      last_trade_at: orNull(instant),
    }),
    edge_prior: orNull(listOf(count, { min: EDGES.length, max: EDGES.length })),
    entries: orNull(entries),
    entries_omitted: count,
  }),
  basis_hash: sha256,
  result: that((value) => asObject(value) !== null),
  response_hash: sha256,
});

/** Returns which member is not of the form of a rating's evidence; null if it may be computed with. */
export function walletPayloadFault(payload: unknown): string | null {
  return FORM(payload, 'payload');
}
