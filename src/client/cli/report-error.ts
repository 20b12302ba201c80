import { CommanderError } from 'commander';
import { GuardrailRefused, OutcomeUnknown, PreflightError, ServiceProblem } from '../terms/errors.js';
import type { GuardrailRule } from '../terms/rules.js';
import { EXIT } from './exit-codes.js';
import { withoutSecrets } from './hide-secrets.js';
import { plain } from './plain-text.js';
import { UsageError } from './usage-error.js';

const CANDIDATES_SHOWN_MAX = 10;

const CHARGED = {
  nothing: 'nothing',
  unknown: 'not known yet, and at most once',
  paid: 'the price of the call',
} as const;

/** Returns the exit code of what ended a command. */
export function exitOfError(error: unknown): number {
  // Commander has already printed its own.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  // A payment may be under way, whatever ended the call: it is to be resumed.
  if (error instanceof OutcomeUnknown) return EXIT.unknown;
  if (error instanceof PreflightError && error.charged === 'unknown') return EXIT.unknown;
  return error instanceof GuardrailRefused ? EXIT.refused : EXIT.failure;
}

/**
 * Returns what a person is told of what ended a command: what went wrong, what was charged, and
 * what to do next.
 */
export function errorText(error: unknown): string {
  if (error instanceof CommanderError) return '';
  const lines = error instanceof PreflightError ? linesOf(error) : [plain(messageOf(error))];
  return withoutSecrets(lines.map((text, at) => `${at === 0 ? 'preflight: ' : '  '}${text}\n`).join(''));
}

function linesOf(error: PreflightError): readonly string[] {
  const { message, charged, next } = error;
  const what = message.endsWith(`. ${next}`) ? message.slice(0, -next.length - 2) : message;
  return [
    plain(what),
    ...candidatesOf(error),
    `charged: ${CHARGED[charged]}`,
    `next: ${plain(next)}`,
    ...adviceFor(error),
  ];
}

/** How a person who knows what they do goes on in spite of a rule, where there is a way. */
const ADVICE: Partial<Readonly<Record<GuardrailRule, string>>> = {
  per_call_cap: '--max-per-call USD',
  daily_cap: '--max-per-day USD (calls) or --max-packs-per-day N (credit packs)',
  authorization_lifetime: '--max-authorization SECONDS',
  payee_changed: '--payee ADDRESS',
  pack_needs_consent: 'preflight buy --yes',
};

function adviceFor(error: PreflightError): readonly string[] {
  const advice = error instanceof GuardrailRefused ? ADVICE[error.rule] : undefined;
  return advice === undefined ? [] : [`only if you know why: ${advice}`];
}

function candidatesOf(error: PreflightError): readonly string[] {
  if (!(error instanceof ServiceProblem) || error.candidates === undefined) return [];
  const shown = error.candidates.slice(0, CANDIDATES_SHOWN_MAX).map((candidate) => `one of: ${plain(candidate)}`);
  const hidden = error.candidates.length - shown.length;
  return hidden === 0 ? shown : [...shown, `and ${hidden} more`];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
