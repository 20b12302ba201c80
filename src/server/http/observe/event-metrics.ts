import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { OPERATIONS } from '#api/operations';
import { CONTRADICTIONS, type Meter } from '#ports/meter';
import { RESULT_KINDS } from '#services/gate/call';

/** Of everything that is ours; what is not says of itself whose it is (`process_`, `nodejs_`). */
export const PREFIX = 'preflight_';

const HTTP_BUCKETS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30];
const VERDICT_BUCKETS_S = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const FACILITATOR_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 12, 20];
const LAG_BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** A client may send any method that there is. */
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const TOOLS = Object.keys(OPERATIONS);
/** What is sold: the tools, and the pack. */
const SOLD = [...TOOLS, 'credits'];
/** What a tool can say; that it could not is counted by the code of its problem. */
const VERDICTS: Readonly<Record<string, readonly string[]>> = {
  preflight_trade: ['OK', 'CAUTION', 'VETO'],
  preflight_copy: ['COPY', 'WATCH', 'VETO', 'QUEUED', 'NO_COVERAGE'],
  leaderboard: ['LISTED'],
  red_list: ['LISTED'],
};
const ATTEMPTS = {
  verify: ['valid', 'invalid', 'unavailable'],
  settle: ['settled', 'rejected', 'not_sent', 'unknown'],
} as const;

/** What the door reports of an answer. `route` is the path of the table, never the URL. */
interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Whether it is a 5xx that strangers without money cannot bring about. */
  readonly isFault: boolean;
}

/** Where what happens is counted. */
export interface EventMetrics extends Meter {
  answered(answer: Answered): void;
  eventLoopLagged(lagMs: number): void;
}

/** What is the same for as long as the process lives. */
export interface BuildInfo {
  /** Of the program. */
  readonly version: string;
  /** `embedded` or `postgresql`. */
  readonly store: string;
  /** Of what is kept: rows of the embedded store, or tables of the database. */
  readonly schema: number;
}

/**
 * Makes the metrics that count what happens. All that can happen is there from the start, with 0,
 * so that the first time is seen as an increase.
 */
export function createEventMetrics(
  registry: Registry,
  { build, facilitators }: { readonly build: BuildInfo; readonly facilitators: readonly string[] },
): EventMetrics {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers: [registry] });

  const labelNames = ['version', 'store', 'schema', 'node'];
  const help = 'Always 1: what runs here, by its labels.';
  new Gauge({ name: `${PREFIX}build_info`, help, labelNames, registers: [registry] }).set(
    { ...build, node: process.versions.node },
    1,
  );
  const http = histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to its answer, in seconds.',
    HTTP_BUCKETS_S,
    ...['method', 'route', 'status'],
  );
  const faults = counter(
    'http_faults_total',
    'Answers with a 5xx, except those that anyone can cause without paying.',
    'route',
  );
  const calls = counter('calls_total', 'Calls of what is sold, by how they ended.', 'tool', 'result');
  const verdicts = counter(
    'verdicts_total',
    'What tools made of understood parameters: a verdict, or the code of the problem that they had.',
    ...['tool', 'outcome'],
  );
  // Its first increase has to be seen, so that it begins at 0.
  verdicts.inc({ tool: 'preflight_copy', outcome: 'evidence_unavailable' }, 0);
  const verdictTimes = histogram(
    'verdict_duration_seconds',
    'Time from understood parameters to what the tool made of them, in seconds.',
    VERDICT_BUCKETS_S,
    'tool',
  );
  const verifications = histogram(
    'verification_duration_seconds',
    'Time that a facilitator took to verify a payment, in seconds.',
    FACILITATOR_BUCKETS_S,
    ...['facilitator', 'outcome'],
  );
  const settlements = histogram(
    'settlement_duration_seconds',
    'Time that a facilitator took for an attempt to settle, in seconds.',
    FACILITATOR_BUCKETS_S,
    ...['facilitator', 'outcome'],
  );
  const revenue = counter('revenue_usdc_total', 'Settled payments, in USDC, by what they bought.', 'operation');
  const sold = counter('credits_sold_total', 'Credits of settled packs.');
  const used = counter('credits_used_total', 'Credits that were debited, also those given back later.', 'tool');
  const contradictions = counter(
    'contradictions_total',
    'Payments about which the books and the chain contradict each other; a person has to look.',
    'kind',
  );
  const lag = histogram('event_loop_lag_seconds', 'By how much a timer came too late, in seconds.', LAG_BUCKETS_S);

  for (const tool of SOLD) for (const result of RESULT_KINDS) calls.inc({ tool, result }, 0);
  for (const tool of TOOLS) {
    verdictTimes.zero({ tool });
    used.inc({ tool }, 0);
    for (const outcome of VERDICTS[tool] ?? []) verdicts.inc({ tool, outcome }, 0);
  }
  for (const facilitator of facilitators) {
    for (const outcome of ATTEMPTS.verify) verifications.zero({ facilitator, outcome });
    for (const outcome of ATTEMPTS.settle) settlements.zero({ facilitator, outcome });
  }
  for (const operation of SOLD) revenue.inc({ operation }, 0);
  for (const kind of CONTRADICTIONS) contradictions.inc({ kind }, 0);

  return {
    answered({ ms, method, isFault, ...labels }) {
      if (isFault) faults.inc({ route: labels.route });
      http.observe({ method: METHODS.includes(method) ? method : 'other', ...labels }, ms / 1e3);
    },
    eventLoopLagged: (lagMs) => lag.observe(lagMs / 1e3),
    callEnded({ tool, result, creditsUsed }) {
      calls.inc({ tool, result });
      if (creditsUsed > 0) used.inc({ tool }, creditsUsed);
    },
    verdictMade({ tool, outcome, ms }) {
      verdicts.inc({ tool, outcome });
      verdictTimes.observe({ tool }, ms / 1e3);
    },
    facilitatorAnswered({ facilitator, operation, outcome, ms }) {
      (operation === 'verify' ? verifications : settlements).observe({ facilitator, outcome }, ms / 1e3);
    },
    paymentSettled({ operation, amountMicros, creditsSold }) {
      revenue.inc({ operation }, Number(amountMicros) / 1e6);
      sold.inc(creditsSold);
    },
    contradicted: (kind) => contradictions.inc({ kind }),
  };
}
