import type { DocsTable } from '#api/docs-page';
import { OPERATIONS } from '#api/operations';
import { TOOLS } from '#api/prices';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { tableOf, toMarkdown } from './markdown.js';
import { CREDITS_EXAMPLES } from './openapi/examples.js';

/** What an agent does with an answer, in Markdown or as rows of a table. */

/** What to do on each verdict, by what was asked about. */
const CONDUCT: readonly (readonly [verdict: string, of: string, what: string])[] = [
  ['OK', 'order', 'Send it before `meta.valid_until`, at most for `order.usd`. Later, ask again.'],
  [
    'CAUTION',
    'order',
    'Send `numbers.safe_size_usd` or less, before `meta.valid_until`; if that is 0, send nothing. `reasons` says what is wrong with more.',
  ],
  ['VETO', 'order', 'Do not send it. `reasons` says why; ask again when that has changed.'],
  ['COPY', 'wallet', 'May be copied: its result held up out of sample. Ask again at `next_refresh_at`.'],
  ['WATCH', 'wallet', 'Do not copy it yet: unproven, which is not half a COPY.'],
  ['VETO', 'wallet', 'Do not copy it: copying it lost money, or it cannot be copied.'],
  [
    'NO_COVERAGE',
    'wallet',
    'There is no rating, good or bad: too few trades. Do not copy it on the word of this service. Free.',
  ],
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
    '1. A call of `preflight_copy` that is paid for, about a wallet that has no profile yet, is answered with status 202: `verdict` QUEUED, ' +
      'header `Retry-After` in seconds (also `retry_after_seconds`). It is free: the payment is not settled, no credit is debited.',
    '2. Wait for so many seconds and repeat the same call, until its status is 200: usually seconds to minutes, at worst about an hour. ' +
      'Send the same payment as long as it is open, then a new one; the one before was not used.',
    '3. The 200 has COPY, WATCH or VETO and is charged once; NO_COVERAGE is free.',
  ].join('\n');
}

/** Returns one answer of each tool. */
export function exampleList(): string {
  const example = (call: string, body: string) => `\`${call}\`:\n\n\`\`\`json\n${body}\n\`\`\``;
  const tools = TOOLS.map((tool) => example(`GET ${OPERATIONS[tool].path}?sandbox=1`, OPERATIONS[tool].exampleBody));
  return [...tools, example('GET /api/credits (with a token)', JSON.stringify(CREDITS_EXAMPLES.balance))].join('\n\n');
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
