import { isDeepStrictEqual } from 'node:util';
import { MCP_PATH } from '#api/mcp-facts';
import { PRICES, TOOLS } from '#api/prices';
import { asObject, type JsonObject, parseObject } from '#domain/json';
import { Deadline } from '../http/deadline.js';
import { exchange, type Fetch } from '../http/http.js';
import type { ClientSystem } from '../system.js';
import { GuardrailRefused, PreflightError, ServiceProblem } from '../terms/errors.js';
import { readPublishedTerms } from '../terms/published-terms.js';
import { BUILT_IN_TOOLS, TOOL_NAMES } from './tools.js';

/** Longest that the service is asked for its tools. */
const CHECK_MS = 10_000;
const LIST_REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const LIST_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
/** The price in the text of a paid tool. */
const PRICE = /\bCosts (\d{1,6}\.\d{2,6}) USDC by x402 or (\d{1,6}) credits? /;

export interface ServiceAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly system: ClientSystem;
  /** Ends the question. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with the names of the tools that the service describes otherwise than this release.
 * Rejects with GuardrailRefused (`tools_changed`) if it has other tools or prices, and with
 * ServiceProblem if it cannot be asked; then the next call asks again. Once it agrees with this
 * release it is not asked again: what it then says cannot raise a price, as each call is held to
 * the built-in one.
 */
export function rewordedTools(access: ServiceAccess): () => Promise<ReadonlySet<string>> {
  let requested: Promise<ReadonlySet<string>> | null = null;
  return () => {
    requested ??= ask(access).catch((error) => {
      requested = null;
      throw error;
    });
    return requested;
  };
}

async function ask({ baseUrl, fetch, system, signal }: ServiceAccess): Promise<ReadonlySet<string>> {
  const deadline = new Deadline(system, CHECK_MS, [signal]);
  const read = async (method: 'GET' | 'POST', path: string, body: string | null) => {
    const request = { method, url: `${baseUrl}${path}`, body };
    const { status, text } = await exchange(fetch, request, body === null ? {} : LIST_HEADERS, deadline.signal);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return text;
  };
  try {
    checkPublishedPrices(await read('GET', '/llms.txt', null));
    return rewordedOf(toolsIn(await read('POST', MCP_PATH, LIST_REQUEST)));
  } catch (cause) {
    if (cause instanceof PreflightError) throw cause;
    throw unreachable(baseUrl, cause);
  } finally {
    deadline.end();
  }
}

function unreachable(baseUrl: string, cause: unknown): ServiceProblem {
  const said = cause instanceof Error ? cause.message : 'no answer';
  const next = 'Nothing was paid; try again, and check the address of the service';
  const message = `the tools of ${baseUrl} cannot be read: ${said}`;
  return new ServiceProblem(message, { code: 'unreachable', status: 0, charged: 'nothing', next, cause });
}

function toolsIn(text: string): ReadonlyMap<string, JsonObject> {
  const tools = asObject(parseObject(text)?.result)?.tools;
  if (!Array.isArray(tools)) throw new Error(`${MCP_PATH} listed no tools`);
  return new Map(tools.map((tool) => [String(asObject(tool)?.name), asObject(tool) ?? {}]));
}

function rewordedOf(listed: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const expected = TOOL_NAMES.toSorted().join(', ');
  const found = [...listed.keys()].sort().join(', ');
  if (found !== expected) throw changed(`the tools ${expected}`, found);
  for (const name of TOOLS) {
    const { amountMicros, credits } = PRICES[name];
    const [, usdc, inCredits] = PRICE.exec(String(listed.get(name)!.description)) ?? [];
    const isSame = Number(usdc) * 1e6 === Number(amountMicros) && Number(inCredits) === credits;
    if (!isSame) throw changed(priceText(name), `${name} for ${usdc ?? 'no'} USDC or ${inCredits ?? 'no'} credits`);
  }
  return new Set(TOOL_NAMES.filter((name) => !isDeepStrictEqual(wordsOf(listed.get(name)), BUILT_IN_TOOLS.get(name))));
}

/**
 * Without `_meta`: terms of payment stand there for others, and ours are held to the built-in ones.
 */
function wordsOf(tool: JsonObject | undefined): JsonObject | undefined {
  if (tool === undefined) return undefined;
  const { _meta: _, ...words } = tool;
  return words;
}

function checkPublishedPrices(llms: string): void {
  const terms = readPublishedTerms(llms);
  if (typeof terms === 'string') throw new Error(`/llms.txt cannot be used, ${terms}`);
  for (const name of TOOLS) {
    const price = terms.prices.get(name);
    if (price === PRICES[name].amountMicros) continue;
    throw changed(priceText(name), `${name} for ${price ?? 'no'} micro-USDC in /llms.txt`);
  }
}

function priceText(name: (typeof TOOLS)[number]): string {
  const { amountMicros, credits } = PRICES[name];
  return `${name} for ${Number(amountMicros) / 1e6} USDC or ${credits} credits`;
}

function changed(expected: string, found: string): GuardrailRefused {
  const next = 'Nothing was signed; if the service says so on its own pages, update this client';
  return new GuardrailRefused({ rule: 'tools_changed', expected, found }, { next });
}
