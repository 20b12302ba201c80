import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TOOL_TEXTS } from '#api/tool-texts';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PRICE_MICROS } from './rest-rows.js';
import { drive, hold, type Row, type RowWorld, runWell } from './row.js';

const SDK = '@modelcontextprotocol/sdk';
/** Versions of the official SDK; the first two know no streamable HTTP, only stdio. */
const STDIO_SDKS = ['0.4.0', '1.0.4'];
const HTTP_SDKS = ['1.10.2', '1.17.5', '1.25.3', '1.32.2'];

interface Listed {
  readonly tools: number;
  readonly text?: string;
}

const LISTS = 'lists the tools, calls a free example';
const TOOLS = Object.keys(TOOL_TEXTS).length;
/** The server of our client adds `limits`. */
const TOOLS_ON_STDIO = TOOLS + 1;

/** Holds what a client got to be all tools and a verdict. */
function holdTools({ tools, text }: Listed, expected = TOOLS): string {
  hold(tools === expected, `it found ${tools} tools, not ${expected}`);
  hold(text === undefined || typeof JSON.parse(text).verdict === 'string', `no verdict: ${text?.slice(0, 200)}`);
  return `${tools} tools`;
}

const overHttp = (client: string, npm = client, tries = LISTS): Row => ({
  client,
  npm,
  tries: `${tries}, over HTTP`,
  async run({ service, dir }) {
    return holdTools(await drive<Listed>(dir, 'mcp-tools.mjs', { name: npm, url: `${service.url}/mcp` }));
  },
});

const onStdio = (version: string): Row => ({
  client: SDK,
  npm: `mcp-sdk-${version}`,
  tries: `${LISTS}, on stdio of \`preflight mcp\``,
  async run({ service, dir }) {
    const command = [process.execPath, join(ROOT, 'dist/client/bin/preflight.js'), 'mcp'];
    const env = { PREFLIGHT_URL: service.url, PREFLIGHT_HOME: tempFolder('stdio') };
    return holdTools(
      await drive<Listed>(dir, 'mcp-tools.mjs', { name: `mcp-sdk-${version}`, command, env }),
      TOOLS_ON_STDIO,
    );
  },
});

/** Commands of a program of npm, with a home of their own. */
const commandIn = ({ dir }: RowWorld, name: string, env: NodeJS.ProcessEnv = {}) => {
  const home = tempFolder('home');
  mkdirSync(join(home, '.config'));
  const all = { HOME: home, MCPC_HOME_DIR: home, ...env };
  return (...args: readonly string[]) => runWell(join(dir, 'node_modules/.bin', name), args, { cwd: home, env: all });
};

const MCPC: readonly Row[] = [
  {
    client: '@apify/mcpc',
    npm: '@apify/mcpc',
    tries: `${LISTS}, over HTTP`,
    async run(world) {
      const mcpc = commandIn(world, 'mcpc');
      await mcpc('connect', `${world.service.url}/mcp`, '@free');
      try {
        const tools = JSON.parse(await mcpc('--json', '@free', 'tools-list')).length;
        const args = ['slug:=sandbox-ok', 'sandbox:=true'];
        const { content } = JSON.parse(await mcpc('--json', '@free', 'tools-call', 'preflight_trade', ...args));
        return holdTools({ tools, text: content[0].text });
      } finally {
        await mcpc('close', '@free');
      }
    },
  },
  {
    client: '@apify/mcpc',
    npm: '@apify/mcpc',
    tries: 'pays a verdict by MCP, from what tools/list says of its price',
    paysMicros: PRICE_MICROS,
    async run(world) {
      const mcpc = commandIn(world, 'mcpc');
      await mcpc('x402', 'import', world.payer.key);
      await mcpc('connect', `${world.service.url}/mcp`, '@paid', '--x402');
      try {
        const args = [`slug:=${world.service.exampleSlug}`, 'usd:=25'];
        const { content } = JSON.parse(await mcpc('--json', '@paid', 'tools-call', 'preflight_trade', ...args));
        const { paid, error } = JSON.parse(content[0].text);
        hold(paid?.price_paid_usdc === '0.02', `it did not pay: ${error}`);
        return '0.02 USDC';
      } finally {
        await mcpc('close', '@paid');
      }
    },
  },
];

const X402_MCP: Row = {
  client: 'x402-mcp',
  npm: 'x402-mcp',
  tries: 'pays a verdict by MCP, with terms of version 1 as a model writes them from ours',
  paysMicros: PRICE_MICROS,
  async run({ service, dir, payer }) {
    const args = { slug: service.exampleSlug, usd: 25 };
    const url = `${service.url}/mcp`;
    const { paid, error } = JSON.parse(await drive<string>(dir, 'x402-mcp.mjs', { url, privateKey: payer.key, args }));
    hold(paid?.price_paid_usdc === '0.02', `it did not pay: ${error}`);
    return '0.02 USDC';
  },
};

const MCPORTER: Row = {
  client: 'mcporter',
  npm: 'mcporter',
  tries: `${LISTS}, over HTTP`,
  async run(world) {
    const mcporter = commandIn(world, 'mcporter');
    const where = ['--http-url', `${world.service.url}/mcp`, '--allow-http', '--name', 'preflight'];
    const { tools } = JSON.parse(await mcporter('list', ...where, '--json'));
    const args = ['--tool', 'preflight_trade', 'slug=sandbox-ok', 'sandbox=true', '--output', 'json'];
    return holdTools({ tools: tools.length, text: await mcporter('call', ...where, ...args) });
  },
};

const OWS: Row = {
  client: '@open-wallet-standard/core (ows)',
  npm: '@open-wallet-standard/core',
  tries: 'pays a verdict with a wallet on the command line, one payment in both headers',
  paysMicros: PRICE_MICROS,
  async run(world) {
    const ows = commandIn(world, 'ows', { OWS_PRIVATE_KEY: world.payer.key, OWS_PASSPHRASE: '' });
    await ows('wallet', 'import', '--name', 'w', '--private-key', '--chain', 'base');
    const url = `${world.service.url}/api/preflight_trade?slug=${world.service.exampleSlug}&usd=25`;
    const printed = await ows('pay', 'request', '--wallet', 'w', '--no-passphrase', url);
    hold(printed.includes('"price_paid_usdc":"0.02"'), `it did not pay: ${printed.slice(0, 200)}`);
    return '0.02 USDC';
  },
};

export const MCP_ROWS: readonly Row[] = [
  ...STDIO_SDKS.map(onStdio),
  ...HTTP_SDKS.map((version) => overHttp(SDK, `mcp-sdk-${version}`)),
  overHttp('@modelcontextprotocol/client'),
  overHttp('mcp-remote'),
  overHttp('@ai-sdk/mcp'),
  overHttp('@langchain/mcp-adapters'),
  overHttp('@langchain/google-genai', '@langchain/google-genai', 'turns the tools into those of Gemini'),
  overHttp('@openai/agents'),
  ...MCPC,
  X402_MCP,
  MCPORTER,
  OWS,
];
