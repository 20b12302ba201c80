import type { DocsTable } from '#api/docs-page';
import { ENDPOINTS, type Endpoint } from '#api/endpoints';
import { ERROR_TEXTS } from '#api/error-texts';
import { STATUS_OF } from '#api/errors';
import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS, PRICES, TOOLS, toPriceText } from '#api/prices';
import type { ProblemCode } from '#domain/errors';
import { tableOf, toMarkdown } from './markdown.js';
import { TOOL_QUERIES } from './openapi/parameters.js';

/**
 * Tables that several documents and the page show: rows of one maker each, so that they cannot
 * differ.
 */

/** Returns what everything costs in both lanes. */
export function priceRows(): DocsTable {
  const rows = TOOLS.map((tool) => [
    `\`${tool}\``,
    toPriceText(PRICES[tool].amountMicros),
    String(PRICES[tool].credits),
  ]);
  const pack = ['credit pack', toPriceText(CREDIT_PACK_AMOUNT_MICROS), `buys ${CREDIT_PACK.credits}`];
  return tableOf(['Operation', 'Per call (USDC)', 'Credits'], [...rows, pack]);
}

export function priceTable(): string {
  return toMarkdown(priceRows());
}

/** Returns every endpoint, what it is for and how it is paid. */
export function endpointRows(): DocsTable {
  const rows = ENDPOINTS.map((endpoint) => [
    `\`${endpoint.method} ${endpoint.path}\``,
    endpoint.summary,
    paymentText(endpoint),
  ]);
  return tableOf(['Endpoint', 'What', 'Paid'], rows);
}

export function endpointTable(): string {
  return toMarkdown(endpointRows());
}

/** Returns the parameters of each tool that has any, in a table each. */
export function parameterTables(): string {
  return TOOLS.filter((tool) => Object.keys(TOOL_QUERIES[tool]).length > 0)
    .map((tool) => {
      const rows = Object.entries(TOOL_QUERIES[tool]).map(([name, { description = '' }]) => [
        `\`${name}\``,
        description,
      ]);
      return toMarkdown(tableOf([`Parameter of \`${tool}\``, 'Meaning'], rows));
    })
    .join('\n\n');
}

/** Returns what a call of the endpoint costs. */
export function paymentText({ payment }: Endpoint): string {
  switch (payment.kind) {
    case 'per_call': {
      const { amountMicros, credits } = PRICES[payment.tool];
      return `${toPriceText(amountMicros)} USDC or ${credits} credit${credits === 1 ? '' : 's'}`;
    }
    case 'x402':
      return `${toPriceText(CREDIT_PACK_AMOUNT_MICROS)} USDC`;
    case 'by_tool':
      return 'as the tool called';
    case 'balance':
    case 'free':
      return 'free';
  }
}

/**
 * A bearer token that is not valid is a 401 where it is all there is, and a 402 where one can pay
 * instead.
 */
const STATUS_TEXTS: Partial<Readonly<Record<ProblemCode, string>>> = { invalid_token: '401 or 402' };

/** Returns every error code with its status and what to do. The id of each row is its code. */
export function errorRows(): DocsTable {
  const codes = (Object.keys(STATUS_OF) as ProblemCode[]).sort((a, b) => STATUS_OF[a] - STATUS_OF[b]);
  const rows = codes.map((code) => ({
    id: code,
    cells: [STATUS_TEXTS[code] ?? String(STATUS_OF[code]), `\`${code}\``, ERROR_TEXTS[code]],
  }));
  return { head: ['Status', 'Code', 'Meaning'], rows };
}

export function errorTable(): string {
  return toMarkdown(errorRows());
}

/**
 * The same as a list for agents: each error with what to do, which is what its text says after the
 * first colon. `doc` of an error names its code here.
 */
export function errorActions(): string {
  const action = (meaning: string) => meaning.slice(meaning.indexOf(': ') + 1).trim();
  return errorRows()
    .rows.map(({ cells: [status, code, meaning = ''] }) => `- ${status} ${code}: ${action(meaning)}`)
    .join('\n');
}

/** Returns a list of every endpoint and what it is for: prices have their own table. */
export function endpointList(): string {
  return ENDPOINTS.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`).join('\n');
}
