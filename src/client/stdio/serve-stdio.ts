import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { toolsFault, withoutNullParams } from '#api/mcp-params';
import { fileState } from '../node/file-state.js';
import type { PreflightOptions } from '../options.js';
import { clientSystem } from '../system.js';
import { shown } from '../text.js';
import { LIMITS_TOOL } from './limits-tool.js';
import { createStdioServer } from './stdio-server.js';
import { ToolDesk } from './tool-desk.js';
import { TOOL_NAMES } from './tools.js';

/** The code of JSON-RPC. */
const INVALID_PARAMS = -32_602;
const OFFERED_NAMES = [...TOOL_NAMES, LIMITS_TOOL.name];
/** Longest message of a host that is read: the longest honest one is a hundredth of it. */
const MESSAGE_BYTES_MAX = 1 << 20;

/** Stable: what `preflight mcp` is started with. */
export interface StdioOptions extends Omit<PreflightOptions, 'door'> {
  /** Longest that one call takes (45 s: hosts give up after a minute). */
  readonly deadlineMs?: number;
  /** Where the host writes; else standard input. */
  readonly input?: Readable;
  /** Where the host reads; else standard output, and then nothing else is written there. */
  readonly output?: Writable;
  /** Takes lines for the operator; else standard error does. */
  readonly log?: (line: string) => void;
}

/**
 * Serves MCP on stdio: the tools of the service, paid under the guardrails, and `limits`. Resolves
 * when the host has closed its end or `signal` has ended it, and all calls are over. Throws a
 * TypeError for a token or an account that is none. A service that is away or that has other tools
 * does not end it: then each call says so.
 *
 * @example await serveStdio({ baseUrl, account: privateKeyToAccount(key) });
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, system = clientSystem, log = toStderr } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const ledger = options.ledger ?? fileState(undefined, system.clock);
  const desk = new ToolDesk({ ...options, ledger, system, signal, log });
  if (output === process.stdout) keepConsoleOffStdout();
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MESSAGE_BYTES_MAX });
  const offered = desk.offered();
  const handle = serveProtocol(
    async () => createStdioServer(await offered, desk.lane, (name, args, ended) => desk.run(name, args, ended)),
    { transport, maxSubscriptions: 0, onerror: ({ message }) => log(shown(message)) },
  );
  screenMessages(transport);
  await closed(transport, handle, signal);
  over.abort(new DOMException('the host has closed the connection', 'AbortError'));
  await desk.settled();
}

/**
 * As the service does it, what is null counts as absent, and params of another form are answered
 * with what to send. The library has put its own handler there before.
 */
function screenMessages(transport: StdioServerTransport): void {
  const { onmessage } = transport;
  transport.onmessage = (given) => {
    const message = withoutNullParams(given) as JSONRPCMessage;
    const fault = isJSONRPCRequest(message) ? toolsFault(message.method, message.params, OFFERED_NAMES) : null;
    if (fault === null || !isJSONRPCRequest(message)) return onmessage?.(message);
    void transport.send({ jsonrpc: '2.0', id: message.id, error: { code: INVALID_PARAMS, message: fault } });
  };
}

/** The library has put its own handler there before. */
function closed(
  transport: StdioServerTransport,
  handle: { close(): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    const end = () => void handle.close();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Whatever a package prints must not get between the messages. */
function keepConsoleOffStdout(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

function toStderr(line: string): void {
  process.stderr.write(`preflight mcp: ${line}\n`);
}
