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

/** Returns every parameter of the tools. */
export function parameterTable(): string {
  const rows = TOOLS.flatMap((tool) =>
    Object.entries(TOOL_QUERIES[tool]).map(([name, { description = '' }]) => [
      `\`${name}\``,
      `\`${tool}\``,
      description,
    ]),
  );
  return toMarkdown(tableOf(['Parameter', 'Tool', 'Meaning'], rows));
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

/** `hasAnchors`: each row is where `doc` of an error leads to. */
export function errorTable({ hasAnchors = false } = {}): string {
  return toMarkdown(errorRows(), { hasAnchors });
}
