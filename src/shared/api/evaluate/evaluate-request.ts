import { z } from 'zod';
import { DEFAULT_MIN_ORDER_SHARES, FEE_EXPONENT_MAX, FEE_RATE_MAX } from '#domain/market';
import { type Parsed, parseArguments } from '../arguments.js';
import { type OrderRequest, OrderRequestSchema, parseOrder } from '../order-request.js';
import { type GivenBook, MIN_ORDER_SHARES_MAX, readBook } from './read-book.js';

const DAYS_400_S = 34_560_000;
const MOMENT_MS_MAX = Date.UTC(9999, 0);
const [YEAR_0_MS, YEAR_9999_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** With its offset, as RFC 3339 has it. Answers show it in UTC, in years of four digits. */
const moment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'must be a date and time with Z or an offset, such as 2026-02-20T00:00:00Z or 2026-02-20T02:00:00+02:00',
  })
  .refine(
    (text) => Date.parse(text) >= YEAR_0_MS && Date.parse(text) <= YEAR_9999_MS,
    'must be in the years 0000 to 9999 in UTC',
  );

function between(what: string, min: number, max: number) {
  const error = `${what} must be a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

const flag = (what: string) => z.boolean({ error: `${what} must be true or false` });

/** What an evaluation takes beside the order (docs/interface.md, "Evaluate"). */
const EvaluateOwnSchema = z.object({
  book: z
    .unknown()
    .describe(
      'The book: bids and asks as [price, size] or {price, size}, GET /book of the venue, or the order book of Kalshi.',
    ),
  fee: z
    .strictObject({
      rate: between('fee.rate', 0, FEE_RATE_MAX),
      exponent: between('fee.exponent', 0, FEE_EXPONENT_MAX).default(1),
      category: z.string().max(64).default('as given'),
      known: flag('fee.known').default(true),
    })
    .optional()
    .describe('Fee curve of the market, rate × (p(1−p))^exponent per share; left out: the worst published rate.'),
  min_order_shares: between('min_order_shares', 0, MIN_ORDER_SHARES_MAX)
    .optional()
    .describe(`Minimum of resting orders; default: that of the book, or ${DEFAULT_MIN_ORDER_SHARES}.`),
  tick_size: z
    .string()
    .max(16)
    .refine((text) => Number(text) > 0 && Number(text) < 1, 'must be a price step, such as 0.01')
    .optional()
    .describe('Price step; default: that of the book, or none.'),
  neg_risk: flag('neg_risk').optional().describe('Signed for the negRisk exchange; default: as the book says.'),
  age_s: between('age_s', 0, DAYS_400_S).default(0).describe('Age of the book in seconds.'),
  matching_delay_s: z.number().min(0).default(0).describe('How long the venue holds a marketable order.'),
  game_due_at: moment.nullable().optional().describe('When the game of the market was due (RFC 3339); default none.'),
  rechecked: flag('rechecked').default(false).describe('The venue, asked again, showed the same book.'),
  evaluated_at: moment
    .refine((text) => Date.parse(text) < MOMENT_MS_MAX, 'must be before the year 9999')
    .optional()
    .describe('The moment of the evaluation (RFC 3339); left out: now.'),
});

const { slug: _slug, outcome: _outcome, token_id: _token, evidence: _evidence, ...ORDER } = OrderRequestSchema.shape;

/** The whole body, for readers of the schema. */
export const EvaluateRequestSchema = z.strictObject({ ...EvaluateOwnSchema.shape, ...ORDER });

type Own = z.infer<typeof EvaluateOwnSchema>;

/** An order, and the book and terms that it is judged on. */
export interface EvaluateRequest extends Omit<Own, 'book'> {
  readonly order: OrderRequest;
  readonly book: GivenBook;
  readonly minOrderShares: number;
  readonly tickSize: string | null;
  readonly negRisk: boolean;
  /** What an answer says of what was not given. */
  readonly remarks: readonly string[];
}

const AGE_NOT_GIVEN = 'The age of the book was not given and counts as 0 s.';
const OTHER_VENUE = 'Minimums and amounts are by the rules of Polymarket, also for a book of Kalshi.';

/** Stands for the market that nothing is asked of. */
const ANY_TOKEN = '0';
const NOT_TAKEN = ['slug', 'outcome', 'token_id', 'evidence'] as const;

/** Reads the body of POST /api/evaluate. */
export function parseEvaluation(raw: unknown): Parsed<EvaluateRequest> {
  const given = { ...(raw as Readonly<Record<string, unknown>>) };
  const named = NOT_TAKEN.find((name) => given[name] !== undefined && given[name] !== null);
  if (named !== undefined)
    return invalid(`${named} has no meaning here: the order is judged on the book that you send`);
  const own = Object.fromEntries(Object.keys(EvaluateOwnSchema.shape).map((name) => [name, given[name]]));
  if (typeof own.tick_size === 'number') own.tick_size = String(own.tick_size);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(own, name)));
  const read = readBook(given.book);
  if (read.kind === 'bad') return invalid(read.why);
  const parsedOwn = parseArguments(EvaluateOwnSchema as z.ZodType<Own>, own);
  if (parsedOwn.kind === 'invalid') return parsedOwn;
  const order = parseOrder({ ...rest, token_id: ANY_TOKEN });
  if (order.kind === 'invalid') return order;
  const { book } = read;
  const { min_order_shares: minimum, tick_size: tick, neg_risk: negRisk } = parsedOwn.args;
  return {
    kind: 'parsed',
    args: {
      ...parsedOwn.args,
      order: order.args,
      book,
      minOrderShares: minimum ?? Number(book.minOrderSize ?? DEFAULT_MIN_ORDER_SHARES),
      tickSize: stepText(tick ?? book.tickSize),
      negRisk: negRisk ?? book.negRisk ?? false,
      remarks: [
        ...(own.age_s === undefined || own.age_s === null ? [AGE_NOT_GIVEN] : []),
        ...(book.isOfKalshi === true ? [OTHER_VENUE] : []),
      ],
    },
  };
}

/** Returns a price step as the venue writes it: 0.010 is 0.01. */
function stepText(step: string | null): string | null {
  return step === null ? null : String(Number(step));
}

function invalid(message: string): { readonly kind: 'invalid'; readonly message: string } {
  return { kind: 'invalid', message };
}
