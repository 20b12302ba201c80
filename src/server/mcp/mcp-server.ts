import {
  type CallToolResult,
  type ClientCapabilities,
  McpServer,
  type McpServerOptions,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { MCP_FACTS, mcpServerName } from '#api/mcp-facts';
import { readSandbox } from '#api/mcp-params';
import { OPERATIONS, type PaymentTerms, paymentOffer, type ServedTool } from '#api/operations';
import { annotationsOf, isFreeTool, SERVER_INSTRUCTIONS, TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import { outputSchemaOf } from '#api/tools/output-schema';
import type { McpTool } from '#api/tools/tool-schemas';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Log } from '#ports/log';
import { type BalanceReader, creditsAnswer } from '#services/credits/balance-answer';
import { failureOf } from '#services/gate/call';
import type { Gate } from '#services/gate/gate';
import type { Evaluations } from '#services/orders/evaluations';
import type { PurchaseSecrets } from '#services/payments/purchase-secret';
import type { Clock } from '#system/clock';
import { toPaymentRequirements } from '#wire/x402/x402';
import { type CallRequest, exchangeOf } from './exchange.js';
import { shownSchema } from './json-schema.js';
import { type ToolArguments, toGateCall } from './tool-call.js';
import { answerResult, createToResult, problemResult } from './tool-result.js';

export interface McpServerDeps {
  readonly gate: Pick<Gate<ServedTool>, 'run'>;
  readonly credits: BalanceReader;
  readonly evaluations: Evaluations;
  readonly terms: PaymentTerms;
  /** What v1 payments are made in. */
  readonly usdc: WalletAddress;
  /** What each demand for payment carries for the client to send back. */
  readonly purchaseSecrets: Pick<PurchaseSecrets, 'issue'>;
  readonly log: Pick<Log, 'debug' | 'error'>;
  readonly clock: Clock;
}

/** Makes a server for one request. */
export type NewMcpServer = () => McpServer;

/**
 * What the tests of conformance add to the same server: tools, resources and prompts that their
 * scenarios call.
 */
export interface McpFixtures {
  readonly options: McpServerOptions;
  readonly register: (server: McpServer) => void;
}

type ToolHandler = (args: ToolArguments, context: ServerContext) => Promise<CallToolResult>;

/** The tools change with a new version of this software and not before. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * Returns the maker of MCP servers: one object per request, so that no request ever sees the state
 * of another.
 */
export function createMcpServers(deps: McpServerDeps, fixtures?: McpFixtures): NewMcpServer {
  const { title, description, version } = MCP_FACTS;
  const identity = { name: mcpServerName(deps.terms.baseUrl), title, version, description };
  const options: McpServerOptions = {
    ...fixtures?.options,
    capabilities: {
      ...fixtures?.options.capabilities,
      tools: { listChanged: false },
      extensions: { [PAYMENT_EXTENSION]: {} },
    },
    instructions: SERVER_INSTRUCTIONS,
    cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
  };
  const defined = () =>
    toolsOf(deps).map(([name, run]) => [name, definitionOf(name, deps.terms), guarded(name, run, deps.log)] as const);
  /** Made for the first request, as documents are: a start need not wait for their schemas. */
  let tools: ReturnType<typeof defined> | undefined;
  return () => {
    const server = new McpServer(identity, options);
    tools ??= defined();
    for (const [name, definition, run] of tools) server.registerTool(name, definition, run);
    fixtures?.register(server);
    return server;
  };
}

function definitionOf(name: McpTool, terms: PaymentTerms) {
  return {
    ...TOOL_TEXTS[name],
    inputSchema: shownSchema(inputSchemaOf(name)),
    outputSchema: shownSchema(outputSchemaOf(name)),
    annotations: { title: TOOL_TEXTS[name].title, ...annotationsOf(name) },
    ...(isFreeTool(name) ? {} : { _meta: { x402: priceOf(name, terms) } }),
  };
}

/** What a client may sign before it has called: mcpc reads it from the list of tools. */
function priceOf(name: ServedTool, terms: PaymentTerms) {
  return { paymentRequired: true, ...toPaymentRequirements(paymentOffer(name, terms)) };
}

/** The tools that are sold, through the same gate as at the REST door, and those that are free. */
function toolsOf(deps: McpServerDeps): readonly (readonly [McpTool, ToolHandler])[] {
  const { gate, credits, evaluations, terms, usdc, clock, purchaseSecrets } = deps;
  const [balance, evaluated] = [createCreditsTool(credits), createEvaluateTool(evaluations)];
  const requestOf = (context: ServerContext) => exchangeOf(context.http?.req).request;
  const paid = (Object.keys(OPERATIONS) as ServedTool[]).map((name) => {
    const toResult = createToResult({ ...paymentOffer(name, terms), operation: name }, clock, purchaseSecrets.issue);
    const run: ToolHandler = async (args, context) => {
      const exchange = exchangeOf(context.http?.req);
      const parts = { request: exchange.request, meta: context.mcpReq._meta };
      const result = await gate.run(name, toGateCall(args, parts, usdc));
      if (result.kind === 'paid') exchange.paid = true;
      return toResult(result, speaksPayment(context));
    };
    return [name, run] as const;
  });
  return [
    ...paid,
    ['evaluate', (args, context) => evaluated(args, requestOf(context))],
    ['credits', (args, context) => balance(args, requestOf(context))],
  ];
}

/**
 * The name of the extension binding of x402 (experimental), and where a request says what its
 * client speaks.
 */
const PAYMENT_EXTENSION = 'org.x402/payment';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Whether the client takes a demand for payment as a kind of result; no revision before 2026-07-28
 * has kinds.
 */
function speaksPayment({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { readonly [CLIENT_CAPABILITIES]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES]?.extensions?.[PAYMENT_EXTENSION] !== undefined;
}

/**
 * A Problem is answered as it is. Anything else is a fault of ours: it is logged for operators, and
 * the caller gets only the request id.
 */
function guarded(tool: McpTool, run: ToolHandler, log: McpServerDeps['log']): ToolHandler {
  return async (args, context) => {
    try {
      return await run(args, context);
    } catch (error) {
      if (error instanceof Problem) return problemResult(error);
      const { requestId } = exchangeOf(context.http?.req).request;
      log.error({ requestId, tool, err: error }, 'tool failed');
      return problemResult(failureOf(error, requestId));
    }
  };
}

/**
 * Returns the tool that reads a balance, as GET /api/credits does; free. Rejects with a Problem, or
 * with what the store rejected with.
 */
function createCreditsTool(credits: BalanceReader) {
  return async (given: ToolArguments, { bearer: token }: CallRequest): Promise<CallToolResult> => {
    const { sandbox, ...others } = given;
    // The terms are the same for everybody, so they are their own example.
    if (wantsExample(sandbox)) return answerOf(PACK_TERMS);
    if (Object.values(others).some((value) => value !== null)) {
      throw new Problem(
        'invalid_parameter',
        'this tool takes no parameters: send the token in the Authorization header',
      );
    }
    return answerOf(await creditsAnswer(credits, token));
  };
}

/** Returns the tool that does what POST /api/evaluate does; free. Rejects with a Problem. */
function createEvaluateTool(evaluations: Evaluations) {
  return async (given: ToolArguments, { caller }: CallRequest): Promise<CallToolResult> => {
    const { sandbox, ...args } = given;
    if (wantsExample(sandbox)) return answerResult(OPERATIONS.preflight_trade.exampleBody);
    await evaluations.admit(caller);
    return answerResult(JSON.stringify(evaluations.judge(args)));
  };
}

/** The switch of the tools that are free. Throws a Problem if it has another value. */
function wantsExample(sandbox: unknown): boolean {
  const flag = readSandbox(sandbox);
  if (flag === 'malformed') throw new Problem('invalid_parameter', 'sandbox must be true, or left out');
  return flag === 'set';
}

function answerOf(body: CreditsResponse): CallToolResult {
  return answerResult(JSON.stringify(body));
}
