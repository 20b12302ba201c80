import { PRICES } from '#api/prices';
import { asObject } from '#domain/json';
import type { Answer, CallOptions, OrderInput, OrderVerdict } from '../answers.js';
import { clockAheadText } from '../http/clock-ahead.js';
import { walletOfToken } from '../purchase/spender.js';
import { orUnavailable } from '../state/or-unavailable.js';
import { GuardrailRefused, OutcomeUnknown, ServiceProblem } from '../terms/errors.js';
import { capCents, DEFAULT_LIMITS, usdText } from '../terms/limits.js';
import type { Cli } from './cli.js';
import type { CommandClient } from './client.js';
import { moment } from './draw/figures.js';
import { line } from './draw/frame.js';
import { drawOrderVerdict } from './draw/order-verdict.js';
import { EXIT, exitOfAnswer, whyNotToActUpon } from './exit-codes.js';
import { type LimitOptions, limitsOf } from './options.js';
import { cutTo, plain } from './plain-text.js';
import { errorText } from './report-error.js';

export interface Watch {
  readonly order: OrderInput;
  readonly call: CallOptions;
  readonly intervalMs: number;
  /** How often it asks. */
  readonly count: number;
  readonly isJson: boolean;
  readonly limits: LimitOptions;
}

/** Verdict and reason on one line of a log. */
const LINE_COLUMNS = 200;
const CLAIM_BYTES = 16;

/**
 * Asks for a verdict at an interval until it was asked often enough, somebody ends it, or a rule
 * does. A service that is away for a while is asked again; what was paid meanwhile is resumed.
 * Resolves with the exit code of the last verdict.
 */
export async function watchOrder(cli: Cli, client: CommandClient, watch: Watch): Promise<number> {
  const { system, signal } = cli.world;
  const show = watch.isJson ? jsonLines(cli) : cli.world.out.isTerminal ? inPlace(cli, watch) : lineForChanges(cli);
  let exitCode: number = EXIT.failure;
  for (let requested = 1; !signal.aborted; requested++) {
    const startedMs = system.clock.elapsedMs();
    const answer = await askOnce(cli, client, watch, show);
    if (answer !== null) {
      exitCode = exitOfAnswer(answer);
      show.answer(answer, requested);
      if (answer.clockAheadS !== undefined) cli.note(clockAheadText(answer.clockAheadS));
    }
    if (requested >= watch.count) break;
    await system.timers.sleep(Math.max(0, watch.intervalMs - (system.clock.elapsedMs() - startedMs)), signal);
  }
  return exitCode;
}

/** Returns null if the service did not answer now but may later. Throws what ends the watch. */
async function askOnce(
  cli: Cli,
  client: CommandClient,
  watch: Watch,
  show: Show,
): Promise<Answer<OrderVerdict> | null> {
  try {
    if (client.token !== null) await claimCredit(cli, client, watch.limits);
    return await client.preflight.verdict(watch.order, watch.call);
  } catch (error) {
    if (cli.world.signal.aborted && !(error instanceof OutcomeUnknown)) return null;
    if (!isPassing(error) || cli.world.signal.aborted) throw error;
    cli.world.err.write(errorText(error));
    show.interrupted();
    return null;
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return true;
  return error instanceof ServiceProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * Credits have no daily cap of their own; what runs alone has one: a credit counts as a cent of the
 * same budget.
 */
async function claimCredit({ world }: Cli, { state, token }: CommandClient, options: LimitOptions): Promise<void> {
  const { dailyMicros } = { ...DEFAULT_LIMITS, ...limitsOf(options) };
  const bytes = world.system.random.bytes(CLAIM_BYTES);
  const result = await orUnavailable(
    state.ledger.claim({
      payer: walletOfToken(token!)!,
      budget: 'cents',
      count: PRICES.preflight_trade.credits,
      cap: capCents(dailyMicros),
      purchaseId: `watch-${Buffer.from(bytes).toString('hex')}`,
    }),
  );
  if (result.kind === 'claimed') return;
  throw new GuardrailRefused(
    {
      rule: 'daily_cap',
      expected: `at most ${usdText(dailyMicros)} in any 24 hours, a credit counted as a cent`,
      found: `${usdText(BigInt(result.spent) * 10_000n)} spent`,
    },
    { next: 'Wait until earlier spending is 24 hours old, or raise the cap with --max-per-day' },
  );
}

/** How answers are shown one after the other. */
interface Show {
  answer(answer: Answer<OrderVerdict>, requested: number): void;
  /** Something else was written in between. */
  interrupted(): void;
}

function jsonLines(cli: Cli): Show {
  return { answer: ({ text }) => cli.printJson(text), interrupted: () => {} };
}

/** Draws over what was drawn before. */
function inPlace(cli: Cli, { intervalMs }: Watch): Show {
  let drawn = 0;
  return {
    answer(answer, requested) {
      const { frame, world } = cli;
      const status = `asked ${requested} ${requested === 1 ? 'time' : 'times'}, every ${intervalMs / 1e3} s; Ctrl-C ends it`;
      const lines = [...drawOrderVerdict(answer, { ...frame, rows: frame.rows - 1 }), line(frame, status, 'quiet')];
      const back = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
      world.out.write(`${back}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    interrupted() {
      drawn = 0;
    },
  };
}

function lineForChanges(cli: Cli): Show {
  let last = '';
  return {
    answer({ body, stale }) {
      const received = asObject(body);
      const caveat = whyNotToActUpon(body, stale);
      const verdict = `${plain(received?.verdict)}${caveat === null ? '' : ` (${caveat})`}`;
      if (verdict === last) return;
      last = verdict;
      const [reason] = Array.isArray(received?.reasons) ? received.reasons : [];
      cli.print([cutTo(`${moment(cli.world.system.clock.nowMs())} ${verdict}: ${plain(reason)}`, LINE_COLUMNS)]);
    },
    interrupted: () => {},
  };
}
