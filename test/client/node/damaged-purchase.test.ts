import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileState, type GuardrailRefused, Preflight } from '#client/node/index';
import { clientSystem } from '#client/system';
import { ManualClock } from '#test/support/manual-clock';
import { tempFolder } from '#test/support/temp-folder';
import { runInProcess } from '../cli/support/test-world.js';
import { openRawHost } from '../stdio/support/raw-host.js';
import { answer, type HostileServer, startHostileServer } from '../support/hostile-server.js';
import { watchedAccount } from '../support/watched-account.js';

const ORDER = { slug: 'a-market', usd: 25 };
const WRITTEN = '2026-08-01T12:00:00';
/** The 120 s of an authorization, and the 60 s after which no chain takes it. */
const OVER = '2026-08-01T12:03:00Z';
const DAMAGES: readonly (readonly [what: string, text: string])[] = [
  ['is no JSON', 'xx'],
  ['is empty', ''],
  ['is null', 'null'],
  ['is of another version', '{"version":2}'],
];

describe('a purchase whose file is damaged', () => {
  let home: string;
  let server: HostileServer;
  let watched: ReturnType<typeof watchedAccount>;
  let isLost: boolean;
  beforeEach(async () => {
    home = join(tempFolder('damaged'), 'state');
    watched = watchedAccount();
    isLost = true;
    const paid = (response: Parameters<typeof answer>[0]) =>
      isLost ? void response.destroy() : answer(response, 'v2', { ok: true, verdict: 'OK', reasons: ['fine'] });
    server = await startHostileServer({ paid }, 'v2');
  });
  afterEach(() => server.close());

  const payer = () => watched.account.address.toLowerCase();
  /** Time passes when somebody waits, and not otherwise. */
  const system = () => {
    const clock = new ManualClock(Date.parse(`${WRITTEN}Z`));
    return {
      ...clientSystem,
      clock,
      timers: { ...clientSystem.timers, sleep: async (ms: number) => clock.advance(ms) },
    };
  };
  const client = () => {
    const own = system();
    return new Preflight({
      baseUrl: server.url,
      account: watched.account,
      ledger: fileState(home, own.clock),
      system: own,
    });
  };
  const ends = (more = {}): Promise<GuardrailRefused> =>
    client()
      .verdict(ORDER, { deadlineMs: 3_000, ...more })
      .then(
        () => null,
        (error) => error,
      );
  /** Sends a payment whose answer is lost, and damages what is kept of it. */
  async function damage(text: string): Promise<string> {
    expect(await ends()).to.include({ name: 'OutcomeUnknown' });
    const folder = join(home, payer(), 'open');
    const path = join(folder, readdirSync(folder)[0]!);
    writeFileSync(path, text);
    const written = new Date(`${WRITTEN}Z`);
    utimesSync(path, written, written);
    return path;
  }

  for (const [what, text] of DAMAGES) {
    it(`and ${what} may be charged: until when, and what to remove then`, async () => {
      const path = await damage(text);
      for (const more of [{}, { fresh: true }]) {
        const error = await ends(more);
        expect(error).to.include({ name: 'GuardrailRefused', rule: 'ledger_unavailable', charged: 'unknown' });
        expect(error.next).to.include(`until ${OVER}`).and.to.include(`remove ${path}`);
      }
      expect([watched.signed.length, server.seen.paid > 0]).to.deep.equal([1, true]);
      rmSync(path);
      isLost = false;
      expect(await ends()).to.equal(null);
      expect(watched.signed).to.have.length(2);
    });
  }

  it('is named among those that are open, and hides none of them', async () => {
    const path = await damage('xx');
    const torn = join(home, payer(), 'aside', `${'5'.repeat(32)}.json`);
    const partial = join(home, payer(), 'aside', `${'6'.repeat(32)}.json`);
    for (const [file, text] of [
      [torn, '{"version":1}'],
      [partial, '{"version":1,"id":"6","begunAtMs":1,"request":{"method":"GET","url":"x"},"lane":{"kind":"x402"}}'],
    ] as const)
      writeFileSync(file, text);
    const other = { slug: 'another', usd: 25 };
    await client()
      .verdict(other, { deadlineMs: 3_000 })
      .catch(() => {});
    const { open, damaged } = await client().spending();
    expect(open.map(({ request }) => request.url)).to.have.length(1);
    expect(damaged.map((one) => one.path)).to.have.members([path, torn, partial]);
    const key = { PREFLIGHT_HOME: home };
    const text = await runInProcess(['limits', '--payer', payer()], { env: key, system: system() });
    expect(text.exitCode, text.stderr).to.equal(0);
    expect(text.stdout).to.include(`${path} is damaged`).and.to.include(OVER).and.to.include('slug=another');
    const json = await runInProcess(['limits', '--payer', payer(), '--json'], { env: key, system: system() });
    const said = JSON.parse(json.stdout);
    expect(said.open).to.have.length(1);
    expect(said.damaged[0]).to.deep.equal({ file: path, chargeable_until: OVER });
    const host = await openRawHost({
      baseUrl: server.url,
      account: watched.account,
      ledger: fileState(home),
      system: system(),
    });
    const { structuredContent } = await host.call('limits').finally(() => host.end());
    const rows = structuredContent.open_purchases;
    expect(rows).to.have.length(4);
    const row = rows.find(({ request }: { request: string }) => request.includes(path));
    expect(row).to.deep.include({ begun_at: `${WRITTEN}.000Z`, may_be_charged: true });
  });
});
