import { MCP_PATH } from '#api/mcp-facts';
import { EVALUATED_BOOK } from '../openapi/examples.js';

const JSON_BODY = "-H 'Content-Type: application/json'";
const TOKEN = '-H "Authorization: Bearer $TOKEN"';
export const RPC = `${JSON_BODY} -H 'Accept: application/json, text/event-stream'`;

/**
 * Returns what is typed into a shell to call an endpoint, by operationId. What differs from caller
 * to caller is a variable of the shell.
 */
export function curlLines(operationId: string, baseUrl: string): readonly string[] {
  const at = (path: string) => `"${baseUrl}${path}"`;
  const lines: Readonly<Record<string, readonly string[]>> = {
    checkOrder: [
      `curl -s ${at('/api/preflight_trade?sandbox=1')}`,
      `curl -s ${at('/api/preflight_trade?slug=$SLUG&usd=250')} ${TOKEN}`,
    ],
    checkOrderByBody: [
      `curl -s ${at('/api/preflight_trade')} ${JSON_BODY} ${TOKEN} -d "{\\"slug\\":\\"$SLUG\\",\\"usd\\":250}"`,
    ],
    evaluateOrder: [
      `curl -s ${at('/api/evaluate')} ${JSON_BODY} -d '${JSON.stringify({ book: EVALUATED_BOOK, side: 'BUY', usd: 100 })}'`,
    ],
    getLeaderboard: [`curl -s ${at('/api/leaderboard?sandbox=1')}`, `curl -s ${at('/api/leaderboard')} ${TOKEN}`],
    getRedList: [`curl -s ${at('/api/red_list?sandbox=1')}`, `curl -s ${at('/api/red_list')} ${TOKEN}`],
    checkWallet: [
      `curl -s ${at('/api/preflight_copy?sandbox=1')}`,
      `curl -s ${at('/api/preflight_copy?wallet=$WALLET')} ${TOKEN}`,
    ],
    getCredits: [`curl -s ${at('/api/credits')}`, `curl -s ${at('/api/credits')} ${TOKEN}`],
    buyCredits: [`curl -s -X POST ${at('/api/credits?x402_probe=1')}`],
    renewToken: [
      `curl -s ${at('/api/credits/token')} ${JSON_BODY} -d "{\\"wallet\\":\\"$WALLET\\",\\"nonce\\":\\"$NONCE\\",\\"issued_at\\":\\"$ISSUED_AT\\",\\"signature\\":\\"$SIGNATURE\\"}"`,
    ],
    redeemPromoCode: [
      `curl -s ${at('/api/redeem')} ${JSON_BODY} -d "{\\"code\\":\\"$CODE\\",\\"wallet\\":\\"$WALLET\\"}"`,
    ],
    callMcp: [`curl -s ${at(MCP_PATH)} ${RPC} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`],
    getHealth: [`curl -s ${at('/healthz')}`],
    listDemoMarkets: [`curl -s ${at('/demo/markets')}`],
    getStatusHistory: [`curl -s ${at('/status/history.json')}`],
    getScoreboard: [`curl -s ${at('/scoreboard.json')}`],
    getStatus: [`curl -s ${at('/status.json')}`],
  };
  return lines[operationId] ?? [];
}

/**
 * Returns programs with the SDK, which is the package `sdk`: one asks about an order, one about a
 * wallet.
 */
export function sdkPrograms(baseUrl: string, sdk: string): Readonly<Record<'order' | 'wallet', string>> {
  const opened = [
    "import { env, stdout } from 'node:process';",
    `import { Preflight } from '${sdk}';`,
    '',
    `const preflight = new Preflight({ baseUrl: '${baseUrl}', token: env.TOKEN });`,
  ];
  return {
    order: [
      ...opened,
      'const { body, stale } = await preflight.verdict({ slug: env.SLUG, usd: 250 });',
      "if (body.verdict === 'OK' && !stale) stdout.write('send it before ' + body.meta?.valid_until);",
      "else stdout.write(body.verdict + ': ' + body.reasons.join(' '));",
    ].join('\n'),
    wallet: [
      ...opened,
      'const { body } = await preflight.copy(env.WALLET, { wait: true });',
      "stdout.write(body.verdict + ': ' + body.reasons.join(' '));",
    ].join('\n'),
  };
}
