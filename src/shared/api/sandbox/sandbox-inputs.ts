import { Problem } from '#domain/errors';
import { foldName } from '#domain/order/same-name';
import type { OrderVerdict } from '../order-verdict.js';
import type { Tool } from '../prices.js';
import {
  CANDIDATES,
  CAUTION_EXAMPLE,
  candidateExample,
  OK_EXAMPLE,
  STALE_EXAMPLE,
  VETO_EXAMPLE,
} from './sandbox-orders.js';
import { NO_COVERAGE_EXAMPLE, PROFILE_EXAMPLES, QUEUED_EXAMPLE } from './sandbox-profile.js';
import { EXAMPLE_WALLETS } from './sandbox-wallets.js';

/**
 * What `sandbox=1` answers: an example, an example of a refusal, or QUEUED and, to a repeat, a
 * profile. Bodies are JSON text.
 */
export type SandboxAnswer =
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'queued'; readonly body: string; readonly retryAfterS: number; readonly later: string };

/** An input that has an example of its own. */
export interface SandboxInput {
  readonly tool: Tool;
  readonly parameter: 'slug' | 'wallet';
  readonly value: string;
  /** What is answered, for the documents. */
  readonly meaning: string;
  /** `outcome` as it came. */
  readonly answer: (outcome: unknown) => SandboxAnswer;
}

const fixed = (body: object) => {
  const answer: SandboxAnswer = { kind: 'answer', body: JSON.stringify(body) };
  return () => answer;
};

const order = (verdict: OrderVerdict, meaning: string): SandboxInput => ({
  tool: 'preflight_trade',
  parameter: 'slug',
  value: verdict.market.slug!,
  meaning,
  answer: fixed(verdict),
});

const wallet = (name: keyof typeof EXAMPLE_WALLETS, meaning: string, answer: () => SandboxAnswer): SandboxInput => ({
  tool: 'preflight_copy',
  parameter: 'wallet',
  value: EXAMPLE_WALLETS[name].wallet,
  meaning,
  answer,
});

const QUEUED: SandboxAnswer = {
  kind: 'queued',
  body: JSON.stringify(QUEUED_EXAMPLE),
  retryAfterS: QUEUED_EXAMPLE.retry_after_seconds,
  later: JSON.stringify(PROFILE_EXAMPLES.NEWCOMER),
};

const CHOSEN: ReadonlyMap<string, SandboxAnswer> = new Map(
  CANDIDATES.map((name) => [foldName(name), fixed(candidateExample(name))()]),
);

const NO_MATCH: SandboxAnswer = {
  kind: 'refused',
  problem: new Problem(
    'outcome_required',
    `No single outcome of "sandbox-candidates" matches the given one. Use one of: ${CANDIDATES.join(', ')}`,
    { candidates: CANDIDATES },
  ),
};

function chooseFirst(): SandboxAnswer {
  const message =
    '"sandbox-candidates" has several outcomes; send one of the candidates as outcome, or the slug of a single Yes/No market';
  return { kind: 'refused', problem: new Problem('outcome_required', message, { candidates: CANDIDATES }) };
}

/** Every input that has an example of its own; any other has the one of its tool. */
export const SANDBOX_INPUTS: readonly SandboxInput[] = [
  order(OK_EXAMPLE, 'OK'),
  order(CAUTION_EXAMPLE, 'CAUTION: the slippage of 200 USD is above 1 cent, 122.5 USD are safe'),
  order(VETO_EXAMPLE, 'VETO: the slippage of 1000 USD is above 3 cents'),
  order(STALE_EXAMPLE, 'VETO: the book is 75 s old'),
  {
    tool: 'preflight_trade',
    parameter: 'slug',
    value: 'sandbox-candidates',
    meaning: `400 outcome_required with candidates; with one of them as outcome (${CANDIDATES.join(', ')}) OK`,
    answer: (outcome) => (typeof outcome === 'string' ? (CHOSEN.get(foldName(outcome)) ?? NO_MATCH) : chooseFirst()),
  },
  wallet('STEADY', 'COPY', fixed(PROFILE_EXAMPLES.STEADY)),
  wallet('HOPEFUL', 'WATCH', fixed(PROFILE_EXAMPLES.HOPEFUL)),
  wallet('LOSING', 'VETO', fixed(PROFILE_EXAMPLES.LOSING)),
  wallet(
    'NEWCOMER',
    `QUEUED (202); ${QUEUED_EXAMPLE.retry_after_seconds} s later, by the same replica, COPY`,
    () => QUEUED,
  ),
  wallet('RARE', 'NO_COVERAGE', fixed(NO_COVERAGE_EXAMPLE)),
];

const INPUTS = new Map(SANDBOX_INPUTS.map((input) => [`${input.tool} ${input.value}`, input]));

/**
 * Returns the example of a tool for raw parameters; null: they are none of the documented inputs,
 * and have the one example.
 */
export function sandboxAnswer(tool: Tool, raw: unknown): SandboxAnswer | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { slug, wallet, user, outcome } = raw as Readonly<Record<string, unknown>>;
  const value = tool === 'preflight_trade' ? slug : (wallet ?? user);
  if (typeof value !== 'string') return null;
  return INPUTS.get(`${tool} ${value.trim().toLowerCase()}`)?.answer(outcome) ?? null;
}
