import { expect } from 'chai';
import { Preflight } from '#client/index';
import { clientSystem } from '#client/system';
import { ManualClock } from '#test/support/manual-clock';
import { runInProcess } from './cli/support/test-world.js';
import { openRawHost } from './stdio/support/raw-host.js';
import { answer, type Form, startHostileServer } from './support/hostile-server.js';
import { watchedAccount } from './support/watched-account.js';

const SERVICE_MS = Date.parse('2026-08-01T12:00:00Z');
const VALID_S = 60;

interface Case {
  readonly aheadS: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly validS?: number;
}

/** A service whose clock stands at SERVICE_MS, and this machine so many seconds ahead of it. */
async function withService<T>(
  { headers = {}, validS = VALID_S, aheadS }: Case,
  form: Form,
  work: (url: string, system: typeof clientSystem) => Promise<T>,
): Promise<T> {
  const meta = { valid_until: new Date(SERVICE_MS + validS * 1e3).toISOString() };
  const server = await startHostileServer(
    {
      unpaid(response) {
        response.setHeader('date', new Date(SERVICE_MS).toUTCString());
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        answer(response, form, { ok: true, verdict: 'OK', reasons: ['fine'], market: { slug: 'a' }, meta });
        return true;
      },
    },
    form,
  );
  const system = { ...clientSystem, clock: new ManualClock(SERVICE_MS + aheadS * 1e3) };
  return work(server.url, system).finally(() => server.close());
}

const token = `tk_${watchedAccount().account.address}_secret`;

describe('a clock that is ahead of that of the service', () => {
  const rows: readonly [what: string, given: Case, stale: boolean, clockAheadS: number | undefined][] = [
    ['is told where it makes a verdict stale', { aheadS: 100 }, true, 100],
    ['is told by a second', { aheadS: VALID_S + 1 }, true, VALID_S + 1],
    ['is not told where the verdict holds', { aheadS: VALID_S }, false, undefined],
    ['is not told of one that is behind', { aheadS: -100 }, false, undefined],
    ['is told less the age of an answer that a proxy kept', { aheadS: 100, headers: { age: '40' } }, true, 60],
    ['is not told of a verdict that was past by both', { aheadS: 100, headers: { age: '61' } }, true, undefined],
    ['is not told where so much may be the way', { aheadS: 9, validS: 5 }, true, undefined],
    ['is not told by a date that is none', { aheadS: 100, headers: { date: 'today' } }, true, undefined],
    ['is told by an age that is none', { aheadS: 100, headers: { age: 'old' } }, true, 100],
  ];
  for (const [what, given, stale, clockAheadS] of rows) {
    it(what, async () => {
      const received = await withService(given, 'v2', (baseUrl, system) =>
        new Preflight({ baseUrl, token, system }).verdict({ slug: 'a' }),
      );
      expect([received.stale, received.clockAheadS]).to.deep.equal([stale, clockAheadS]);
    });
  }

  it('is told by the door of MCP, too', async () => {
    const received = await withService({ aheadS: 100, headers: { age: '40' } }, 'mcp', (baseUrl, system) =>
      new Preflight({ baseUrl, token, system, door: 'mcp' }).verdict({ slug: 'a' }),
    );
    expect([received.stale, received.clockAheadS]).to.deep.equal([true, 60]);
  });

  it('is named by the command line beside the answer, drawn and as JSON, and not to be acted upon', async () => {
    const says =
      /^preflight: by the Date of the answer, the clock of this machine is 100 s ahead of the service's: set it right$/m;
    const env = { PREFLIGHT_TOKEN: token };
    for (const more of [[], ['--json']]) {
      const { exitCode, stderr } = await withService({ aheadS: 100 }, 'v2', (url, system) =>
        runInProcess(['verdict', 'a', '--url', url, ...more], { env, system }),
      );
      expect([exitCode, says.test(stderr)], stderr).to.deep.equal([10, true]);
    }
    const quiet = await withService({ aheadS: 100 }, 'v2', (url, system) =>
      runInProcess(['verdict', 'a', '--url', url, '--quiet'], { env, system }),
    );
    expect(quiet).to.deep.equal({ exitCode: 10, stdout: '', stderr: '' });
    const right = await withService({ aheadS: 0 }, 'v2', (url, system) =>
      runInProcess(['verdict', 'a', '--url', url], { env, system }),
    );
    expect([right.exitCode, right.stderr]).to.deep.equal([0, '']);
  });

  it('is named by the server on stdio to the model and to its host', async () => {
    const { content, _meta } = await withService({ aheadS: 100 }, 'v2', async (baseUrl, system) => {
      const host = await openRawHost({ baseUrl, token, system });
      return host.call('preflight_trade', { slug: 'a' }).finally(() => host.end());
    });
    expect(_meta).to.deep.include({ stale: true, clock_ahead_s: 100 });
    expect(content.at(-1).text).to.match(/the clock of this machine is 100 s ahead of the service's: set it right$/);
  });
});
