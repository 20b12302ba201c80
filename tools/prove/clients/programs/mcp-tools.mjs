// Lists the tools of a server and calls a free example with the client that is named, and prints how
// many tools there are and the text of the example. The argument is JSON: name, url (streamable HTTP),
// and for a server on stdio command and env.
const { name, url, command, env } = JSON.parse(process.argv[2]);
const CLIENT = { name: 'prove-clients', version: '1' };
const ARGS = { slug: 'sandbox-ok', sandbox: true };
const textOf = (content) => content.find(({ type }) => type === 'text').text;

/** The official SDK at any version: before 1.10 it knows no streamable HTTP. */
async function bySdk(alias, program) {
  const { Client } = await import(`${alias}/client/index.js`);
  const client = new Client(CLIENT, { capabilities: {} });
  await client.connect(await transportOf(alias, program));
  const { CallToolResultSchema, ListToolsResultSchema } = await import(`${alias}/types.js`);
  const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
  const params = { name: 'preflight_trade', arguments: ARGS };
  const { content } = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
  await client.close();
  return { tools: tools.length, text: textOf(content) };
}

async function transportOf(alias, program) {
  if (program === undefined) {
    const { StreamableHTTPClientTransport } = await import(`${alias}/client/streamableHttp.js`);
    return new StreamableHTTPClientTransport(new URL(url));
  }
  const { StdioClientTransport } = await import(`${alias}/client/stdio.js`);
  const [file, ...args] = program;
  return new StdioClientTransport({ command: file, args, env: { ...process.env, ...env } });
}

async function langchainTools() {
  const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
  const client = new MultiServerMCPClient({ mcpServers: { preflight: { transport: 'http', url } } });
  return { client, tools: await client.getTools() };
}

const CLIENTS = {
  '@modelcontextprotocol/client': async () => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client(CLIENT);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'preflight_trade', arguments: ARGS });
    await client.close();
    return { tools: tools.length, text: textOf(content) };
  },
  'mcp-remote': () => bySdk('mcp-sdk-1.32.2', [process.execPath, 'node_modules/mcp-remote/dist/proxy.js', url]),
  '@ai-sdk/mcp': async () => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    const { content } = await tools.preflight_trade.execute(ARGS, { toolCallId: '1', messages: [] });
    await client.close();
    return { tools: Object.keys(tools).length, text: textOf(content) };
  },
  '@langchain/mcp-adapters': async () => {
    const { client, tools } = await langchainTools();
    const result = await tools.find((tool) => tool.name.endsWith('preflight_trade')).invoke(ARGS);
    await client.close();
    return { tools: tools.length, text: typeof result === 'string' ? result : textOf([result].flat()) };
  },
  '@langchain/google-genai': async () => {
    const { ChatGoogleGenerativeAI } = await import('@langchain/google-genai');
    const { client, tools } = await langchainTools();
    await client.close();
    // What the model would be sent; nothing is asked of anybody.
    const model = new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey: 'none' });
    const declared = model.invocationParams({ tools }).tools.flatMap((one) => one.functionDeclarations);
    const foreign = declared.flatMap((one) => foreignWords(one.parameters, one.name));
    if (foreign.length > 0) throw new Error(`Gemini refuses the list for ${foreign.length}: ${foreign.join(', ')}`);
    return { tools: declared.length };
  },
  '@openai/agents': async () => {
    const { getAllMcpTools, MCPServerStreamableHttp } = await import('@openai/agents');
    const server = new MCPServerStreamableHttp({ url, name: 'preflight' });
    await server.connect();
    const tools = await getAllMcpTools([server]);
    const content = await server.callTool('preflight_trade', ARGS);
    await server.close();
    return { tools: tools.length, text: textOf(content) };
  },
};

/** Schema of the API of Gemini (v1beta): a word that it does not know refuses the whole list. */
const GEMINI = new Set(
  (
    'type format title description nullable enum items properties required anyOf default pattern ' +
    'minItems maxItems minLength maxLength minProperties maxProperties minimum maximum propertyOrdering example'
  ).split(' '),
);

function foreignWords(schema, path) {
  return Object.entries(schema ?? {}).flatMap(([word, value]) => {
    if (!GEMINI.has(word)) return [`${path}: ${word}`];
    if (word === 'properties')
      return Object.entries(value).flatMap(([key, one]) => foreignWords(one, `${path}.${key}`));
    if (word === 'items') return foreignWords(value, `${path}[]`);
    if (word === 'anyOf') return value.flatMap((one) => foreignWords(one, path));
    return word === 'enum' && !value.every((one) => typeof one === 'string') ? [`${path}: enum of numbers`] : [];
  });
}

console.log(JSON.stringify(await (CLIENTS[name] ?? (() => bySdk(name, command)))()));
process.exit(0);
