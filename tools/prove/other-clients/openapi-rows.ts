import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLowPort } from '#local/free-low-port';
import { killed } from '#test/support/killed';
import { tempFolder } from '#test/support/temp-folder';
import { untilListening } from '#test/support/until-listening';
import { holdVerdict, PRICE_MICROS, payWith, tradeUrl } from './rest-rows.js';
import { hold, type Row, type RowWorld, runWell } from './row.js';

/** /openapi.json of the service in a file. */
async function documentOf({ service }: RowWorld): Promise<string> {
  const path = join(tempFolder('openapi'), 'openapi.json');
  writeFileSync(path, await (await fetch(`${service.url}/openapi.json`)).text());
  return path;
}

/** Has prism stand before the service: what breaks the document comes back as its own error. */
async function throughPrism(world: RowWorld, use: (url: string) => Promise<string>): Promise<string> {
  const port = await freeLowPort();
  const prism = join(world.dir, 'node_modules/.bin/prism');
  const args = ['proxy', await documentOf(world), world.service.url, '--errors', '--port', String(port)];
  const child = spawn(prism, args, { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilListening(url);
    return await use(url);
  } finally {
    await killed(child);
  }
}

const PRISM = { client: '@stoplight/prism-cli', npm: '@stoplight/prism-cli' } as const;

export const OPENAPI_ROWS: readonly Row[] = [
  {
    ...PRISM,
    tries: 'proxy: examples, terms and a refusal are as /openapi.json has them',
    run: (world) =>
      throughPrism(world, async (url) => {
        const asked: readonly (readonly [path: string, status: number])[] = [
          ['/api/preflight_trade?sandbox=1', 200],
          [`/api/preflight_trade?slug=${world.service.exampleSlug}`, 402],
          ['/api/leaderboard?sandbox=1', 200],
          ['/api/red_list?sandbox=1', 200],
          ['/api/credits', 200],
          ['/status.json', 200],
          // Refused by prism itself, in the place of the service's 400.
          ['/api/preflight_trade?slug=a&usd=many', 422],
        ];
        for (const [path, right] of asked) {
          const { status } = await fetch(url + path);
          hold(status === right, `${path} was answered ${status}, not ${right}`);
        }
        return `${asked.length} answers`;
      }),
  },
  {
    ...PRISM,
    tries: 'proxy: @x402/fetch pays a verdict through it',
    paysMicros: PRICE_MICROS,
    run: (world) =>
      throughPrism(world, async (url) => {
        const [answer] = await payWith('x402-fetch-v2', world, { url: tradeUrl(url, world) });
        return holdVerdict(answer!);
      }),
  },
  {
    client: '@redocly/cli',
    npm: '@redocly/cli',
    tries: 'lint --extends=recommended-strict',
    async run(world) {
      const redocly = join(world.dir, 'node_modules/.bin/redocly');
      await runWell(redocly, ['lint', '--extends=recommended-strict', await documentOf(world)]);
      return 'no fault found';
    },
  },
  {
    client: '@agentcash/discovery',
    npm: '@agentcash/discovery',
    tries: 'finds what is sold at the address',
    async run({ service, dir }) {
      const discovery = join(dir, 'node_modules/.bin/discovery');
      const { ok, resources } = JSON.parse(await runWell(discovery, ['discover', service.url, '--json']));
      const paid = resources.filter(({ authHint }: { authHint: string }) => authHint === 'paid').length;
      hold(ok === true && paid > 0, 'it found nothing that is sold');
      return `${paid} paid operations`;
    },
  },
];
