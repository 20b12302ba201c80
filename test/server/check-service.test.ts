import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { openLmdbFile } from '#adapters/lmdb/open';
import { SCHEMA_KEY } from '#adapters/lmdb/raw';
import { systemClock } from '#adapters/process/system-clock';
import { creditsPath, openStore } from '#compose/credits';
import { startLocalVenue } from '#local/venue/start-local-venue';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

/** Runs `main.js --check` with this environment and no other. */
async function check(env: Readonly<Record<string, string>>, option = '--check') {
  const args = [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs'), option];
  const { PATH } = process.env;
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, args, { env: { PATH, ...env } });
  return { code: exitCode, lines: stdout.trim().split('\n'), stderr };
}

describe('the service with --check', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let venue: Awaited<ReturnType<typeof startLocalVenue>>;
  let facilitator: LoopbackServer;
  let rpc: LoopbackServer;
  let env: Record<string, string>;

  before(async () => {
    dir = tempFolder('check');
    venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
    facilitator = await startLoopbackServer();
    rpc = await startLoopbackServer();
    facilitator.answer((_, response) => sendJson(response, { kinds: [] }));
    rpc.answer((_, response) => sendJson(response, { jsonrpc: '2.0', id: 1, result: '0x2105' }));
    env = {
      BASE_URL: 'https://preflight.example',
      PAYEE_ADDRESS: `0x${'11'.repeat(20)}`,
      SUPPORT_EMAIL: 'help@preflight.example',
      DATA_DIR: join(dir, 'not', 'there'),
      FACILITATOR_URLS: facilitator.baseUrl,
      BASE_RPC_URLS: rpc.baseUrl,
      VENUE_GAMMA_URL: venue.gammaUrl,
      VENUE_CLOB_URL: venue.clobUrl,
      VENUE_DATA_URL: venue.dataUrl,
      VENUE_WS_URL: venue.wsUrl,
      VENUE_RTDS_URL: venue.rtdsUrl,
    };
  });
  after(async () => {
    await venue.close();
    await facilitator.close();
    await rpc.close();
  });

  const faultsOf = ({ lines }: Awaited<ReturnType<typeof check>>) =>
    lines.filter((line) => line.includes('FAULT')).map((line) => line.trim());

  it('finds everything that the settings name, says so, and leaves nothing behind', async () => {
    const checked = await check(env);
    expect(checked, checked.lines.join('\n')).to.include({ code: 0, stderr: '' });
    expect(checked.lines[0]).to.match(/^settings +ok +live, https:\/\/preflight.example, paid to 0x1111/);
    expect(checked.lines.at(-2)).to.equal('All is there: the service can start.');
    expect(checked.lines.at(-1)).to.match(/: preflightctl venue check$/);
    expect(checked.lines.slice(1, -2).map((line) => line.split(/ +/)[1])).to.deep.equal(Array(13).fill('ok'));
    expect(existsSync(env.DATA_DIR!)).to.equal(false);
  });

  it('finds the store with its key where KEYS_DIR says that it is', async () => {
    const [DATA_DIR, KEYS_DIR] = [join(dir, 'data'), join(dir, 'keys')];
    const { store } = await openStore({ dataDir: DATA_DIR, keysDir: KEYS_DIR, storeUrl: null });
    await store.close();
    expect((await check({ ...env, DATA_DIR, KEYS_DIR })).lines[1]).to.match(/^store +ok$/);
    const { code, lines } = await check({ ...env, DATA_DIR });
    expect([code, faultsOf({ code, lines, stderr: '' })[0]]).to.deep.equal([1, lines[1]]);
    expect(lines[1]).to.match(/^store +FAULT .*store\.key is not there/);
  });

  it('brings no store of the version before to its own, which the service at work could not open again', async () => {
    const DATA_DIR = join(dir, 'older');
    const { store } = await openStore({ dataDir: DATA_DIR, keysDir: DATA_DIR, storeUrl: null });
    await store.close();
    const file = { path: creditsPath(DATA_DIR), version: CREDITS_FILE_VERSION, remedy: '' };
    const older = openLmdbFile(file);
    older.putSync(SCHEMA_KEY, CREDITS_FILE_VERSION - 1);
    await older.close();
    expect((await check({ ...env, DATA_DIR })).lines[1]).to.match(/^store +ok$/);
    const looked = openLmdbFile({ ...file, readsOnly: true });
    expect(looked.get(SCHEMA_KEY)).to.equal(CREDITS_FILE_VERSION - 1);
    await looked.close();
  });

  it('looks where the keys are to be made, and whether its port is free', async () => {
    const [folder, taken] = [join(ROOT, 'package.json'), await startLoopbackServer()];
    const { code, lines } = await check({ ...env, KEYS_DIR: folder, PORT: new URL(taken.baseUrl).port });
    await taken.close();
    expect(code).to.equal(1);
    expect(lines[1]).to.match(/^store +FAULT KEYS_DIR cannot be made: .*package.json is no folder$/);
    expect(lines.find((line) => line.startsWith('address'))).to.match(/ ok +WARNING PORT \d+ is taken: /);
  });

  it('names what is not there, each with what is wrong, and ends with 1', async () => {
    const other = await startLoopbackServer();
    other.answer((_, response) => sendJson(response, { jsonrpc: '2.0', id: 1, result: '0x1' }));
    const checked = await check({
      ...env,
      BASE_RPC_URLS: `${rpc.baseUrl},${other.baseUrl}`,
      FACILITATOR_URLS: `${facilitator.baseUrl},http://127.0.0.1:1`,
      VENUE_WS_URL: 'ws://127.0.0.1:1',
      HOST: '192.0.2.1',
      METRICS_PORT: '9464',
      METRICS_HOST: 'nowhere.invalid',
      DATA_DIR: join(ROOT, 'package.json', 'data'),
    });
    await other.close();
    expect(checked.code).to.equal(1);
    expect(checked.lines.at(-2)).to.equal('6 of 15 are not well.');
    const faults = faultsOf(checked);
    expect(faults[0]).to.match(/^store +FAULT DATA_DIR cannot be made: .*package.json is no folder$/);
    expect(faults[1]).to.match(/^127.0.0.1:1 +FAULT /);
    expect(faults[2]).to.match(/^base-rpc +FAULT endpoint 2 serves chain 1 instead of 8453$/);
    expect(faults[3]).to.match(/^market-channel +FAULT .*ECONNREFUSED/);
    expect(faults[4]).to.match(/^address +FAULT HOST and PORT: .*EADDRNOTAVAIL.* 192\.0\.2\.1/);
    expect(faults[5]).to.match(/^metrics +FAULT METRICS_HOST and METRICS_PORT: .*nowhere\.invalid/);
  });

  it('reports faults of the configuration, and an option that it does not know, with 2', async () => {
    const { FACILITATOR_URLS: _, ...rest } = env;
    expect(await check(rest)).to.deep.include({ code: 2 });
    expect((await check(rest)).stderr).to.include('FACILITATOR_URLS is required');
    const unknown = await check(env, '--chek');
    expect([unknown.code, unknown.stderr.trim()]).to.deep.equal([
      2,
      'the service takes no arguments but --check; its settings are environment variables',
    ]);
  });
});
