import type { DocsTable } from '#api/docs-page';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { tableOf, toMarkdown } from './markdown.js';

/** What an agent does with an answer, in Markdown or as rows of a table. */

/** What to do on each verdict, by what was asked about. */
const CONDUCT: readonly (readonly [verdict: string, of: string, what: string])[] = [
  ['OK', 'order', 'Send it before `meta.valid_until`, at most for `order.usd`. Later, ask again.'],
  [
    'CAUTION',
    'order',
    'Send `numbers.safe_size_usd` or less, before `meta.valid_until`; if that is 0, send nothing. See `reasons`.',
  ],
  ['VETO', 'order', 'Do not send it. See `reasons`; ask again when they have changed.'],
  ['COPY', 'wallet', 'May be copied: its result held up out of sample. Ask again at `next_refresh_at`.'],
  ['WATCH', 'wallet', 'Do not copy it yet: unproven, which is not half a COPY.'],
  ['VETO', 'wallet', 'Do not copy it: copying it lost money, or it cannot be copied.'],
  ['NO_COVERAGE', 'wallet', 'No rating, good or bad: too few trades. Do not copy it on this answer. Free.'],
  ['QUEUED', 'wallet', 'No verdict yet: repeat the call as described below. Free.'],
];

/** Returns what to do on each verdict. */
export function verdictRows(): DocsTable {
  const rows = CONDUCT.map(([verdict, of, what]) => [`\`${verdict}\``, of, what]);
  return tableOf(['Verdict', 'Of', 'Do'], rows);
}

export function verdictTable(): string {
  return toMarkdown(verdictRows());
}

/**
 * Returns how a caller gets from QUEUED to a profile (docs/interface-wallets.md, "Queued wallets").
 */
export function queuedSteps(): string {
  return [
    '1. A paid call of `preflight_copy` for a wallet without a profile is answered with status 202: `verdict` QUEUED, ' +
      'header `Retry-After` in seconds (also `retry_after_seconds`). It is free: no payment is settled, no credit is debited.',
    '2. Wait and repeat the same call until its status is 200: seconds to minutes, at worst an hour. ' +
      'Send the same payment while it is open, then a new one.',
    '3. The 200 has COPY, WATCH or VETO and is charged once.',
  ].join('\n');
}

/** Returns the inputs that have an example of their own. */
export function sandboxRows(): DocsTable {
  const rows = SANDBOX_INPUTS.map(({ tool, parameter, value, meaning }) => [
    `\`${parameter}=${value}\``,
    `\`${tool}\``,
    meaning,
  ]);
  return tableOf(['With sandbox=1', 'Tool', 'Answer'], rows);
}

export function sandboxTable(): string {
  return toMarkdown(sandboxRows());
}

/** The same as a list for agents. */
export function sandboxList(): string {
  return SANDBOX_INPUTS.map(
    ({ tool, parameter, value, meaning }) => `- ${tool} \`${parameter}=${value}\`: ${meaning}`,
  ).join('\n');
}
