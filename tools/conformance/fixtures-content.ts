import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';

/** A PNG of one pixel, and a WAV without a sample. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

/** Between two notifications, so that a client can tell them apart. */
const PAUSE_MS = 50;

export const text = (said: string) => ({ type: 'text', text: said }) as const;
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const resource = (uri: string, mimeType: string, said: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: said } }) as const;

const MIXED = resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}');
const EMBEDDED = resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.');

/** Tools that return one kind of content each. */
const CONTENT: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [EMBEDDED],
  test_multiple_content_types: [text('Multiple content types test:'), image, MIXED],
};

/** Registers the tools whose results are looked at, and those that say something on the way. */
export function registerContent(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    server.registerTool(name, { description: `Returns ${content.length} content item(s).` }, async () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs three times.' }, logThrice);
  }
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, reportProgress);
}

async function logThrice({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', line);
    await sleep(PAUSE_MS);
  }
  return { content: [text('logged')] };
}

async function reportProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    await sleep(PAUSE_MS);
  }
  return { content: [text('done')] };
}
