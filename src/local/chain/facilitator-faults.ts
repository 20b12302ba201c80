import { z } from 'zod';

/** What a facilitator is asked. */
const OPERATIONS = ['supported', 'verify', 'settle'] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * Whether the work asked for is done (for settle: whether money moves), and what the caller gets.
 */
export interface FaultParts {
  readonly work: 'now' | 'later' | 'none';
  readonly answer: 'honest' | 'drop' | 'hang' | 'error' | 'garbage' | 'failed' | 'succeeded' | 'pending';
}

/**
 * Everything a facilitator can be made to do. "before": nothing is done; "after": the work is done
 * first. For settle that is the difference between a payer who was not charged and one who was,
 * which the caller cannot tell apart.
 */
export const FAULTS = {
  ok: { work: 'now', answer: 'honest' },
  /** The connection is closed without an answer. */
  'drop-before': { work: 'none', answer: 'drop' },
  'drop-after': { work: 'now', answer: 'drop' },
  /** There is never an answer. */
  'hang-before': { work: 'none', answer: 'hang' },
  'hang-after': { work: 'now', answer: 'hang' },
  /** An HTTP status: 500 before, 502 after, or the one given. */
  'error-before': { work: 'none', answer: 'error' },
  'error-after': { work: 'now', answer: 'error' },
  /** HTML with status 200, or the one given. */
  'garbage-before': { work: 'none', answer: 'garbage' },
  'garbage-after': { work: 'now', answer: 'garbage' },
  /** "No", with a reason that looks final. */
  reject: { work: 'none', answer: 'failed' },
  /** The same words, though the work was done. */
  'lie-failed': { work: 'now', answer: 'failed' },
  /** "Yes", though nothing was done. */
  'lie-succeeded': { work: 'none', answer: 'succeeded' },
  /**
   * Settle only: `settlement_pending`; the transfer is mined later or never. Asked again, it
   * answers what became of it.
   */
  pending: { work: 'later', answer: 'pending' },
} as const satisfies Record<string, FaultParts>;
export type Fault = keyof typeof FAULTS;

const MS_MAX = 600_000;
const ms = z.int().min(0).max(MS_MAX);

/** One fault to come. Plans for a payer or nonce leave all other payments alone. */
export const FaultPlanSchema = z.strictObject({
  operation: z.enum(OPERATIONS),
  fault: z.enum(Object.keys(FAULTS) as Fault[]),
  /**
   * How many calls it holds for; 1 by default. Those that hold for a number of calls come before
   * those that hold always.
   */
  times: z.union([z.int().min(1).max(1_000_000), z.literal('always')]).optional(),
  payer: z.string().optional(),
  nonce: z.string().optional(),
  /** Wait so long before anything. */
  delayMs: ms.optional(),
  /** HTTP status of error (500 or 502), garbage (200) and pending (200). */
  status: z.int().min(200).max(599).optional(),
  /** Sent as Retry-After with error. */
  retryAfterS: z.int().min(0).max(3_600).optional(),
  /** Of reject and lie-failed; `insufficient_funds` by default. */
  reason: z.string().max(200).optional(),
  /**
   * pending: whether the answer names the transaction; true by default. Without, it has a
   * `paymentId` as Circle's.
   */
  withHash: z.boolean().optional(),
  /** pending: when the transfer is sent to the chain; 1 000 by default. */
  minedAfterMs: z.union([ms, z.literal('never')]).optional(),
});
export type FaultPlan = Readonly<z.infer<typeof FaultPlanSchema>>;

/** Whose payment a call is about; absent if the body has none, and for supported. */
export interface Subject {
  readonly payer?: string;
  readonly nonce?: string;
}

/** A call that was made, and what was done to it. */
export interface FacilitatorCall extends Subject {
  readonly operation: Operation;
  readonly fault: Fault;
}

const PLANS_MAX = 1_000;
const CALLS_STORED = 10_000;

/** The faults to come and the calls that were. */
export class FacilitatorFaults {
  #plans: { readonly plan: FaultPlan; left: number }[] = [];
  readonly #calls: FacilitatorCall[] = [];

  /** Adds a plan behind those there are. Throws on one that makes no sense. */
  plan(plan: FaultPlan): void {
    const { work, answer } = FAULTS[plan.fault];
    if (work === 'later' && plan.operation !== 'settle') throw new Error(`${plan.fault} is for settle only`);
    if (plan.operation === 'supported' && (answer === 'failed' || answer === 'succeeded')) {
      throw new Error(`${plan.fault} is for verify and settle: supported has no yes or no`);
    }
    if (this.#plans.length >= PLANS_MAX) throw new Error(`at most ${PLANS_MAX} plans; clear them first`);
    const times = plan.times ?? 1;
    this.#plans.push({ plan, left: times === 'always' ? Number.POSITIVE_INFINITY : times });
  }

  /** Ends every fault and forgets the calls. Transfers on their way are still mined. */
  clear(): void {
    this.#plans = [];
    this.#calls.length = 0;
  }

  /** Counts a call and returns what is to become of it. */
  next(operation: Operation, subject: Subject): FaultPlan {
    const fitting = this.#plans.filter(({ plan }) => plan.operation === operation && concerns(plan, subject));
    const due = fitting.find(({ left }) => Number.isFinite(left)) ?? fitting.at(-1);
    if (due !== undefined) due.left -= 1;
    this.#plans = this.#plans.filter(({ left }) => left > 0);
    const plan = due?.plan ?? { operation, fault: 'ok' };
    this.#calls.push({ operation, fault: plan.fault, ...subject });
    if (this.#calls.length > CALLS_STORED) this.#calls.shift();
    return plan;
  }

  /**
   * Returns the calls there were, oldest first; those of one operation, payer or nonce where asked.
   */
  calls({ operation, ...subject }: Subject & { readonly operation?: Operation } = {}): readonly FacilitatorCall[] {
    return this.#calls.filter(
      (call) => (operation === undefined || call.operation === operation) && concerns(subject, call),
    );
  }
}

function concerns(
  wanted: { payer?: string | undefined; nonce?: string | undefined },
  { payer, nonce }: Subject,
): boolean {
  return isSame(wanted.payer, payer) && isSame(wanted.nonce, nonce);
}

function isSame(wanted: string | undefined, is: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === is?.toLowerCase();
}
