import { expect } from 'chai';
import type { Door } from './support/door.js';
import { openDoor, WALLET } from './support/door.js';

const COPY = `/api/preflight_copy?wallet=0x${'1'.repeat(40)}`;

/** A door whose wallets note who asked, behind these proxies. */
async function open(trustedProxies: readonly string[] = [], credits = 500) {
  const callers: string[] = [];
  const ask = async (_: string, caller: string) => {
    callers.push(caller);
    return { kind: 'queued', retryAfterS: 1, position: 1 } as const;
  };
  const door = await openDoor({ credits, tools: { wallets: { ask } }, deps: { trustedProxies } });
  return { door, callers };
}

const bearer = (door: Door) => ({ Authorization: `Bearer ${door.token}` });
const copy = (door: Door, headers: Record<string, string> = {}) => fetch(door.url + COPY, { headers });

describe('an unpaid preflight_copy', () => {
  it('queues nothing and asks nobody: without credentials, with a bad token, and with too few credits', async () => {
    const { door, callers } = await open([], 4);
    for (const headers of [{}, { Authorization: 'Bearer tk_x' }, bearer(door)]) {
      expect((await copy(door, headers)).status).to.equal(402);
    }
    for (const query of ['&x402_probe=1', '&sandbox=1'])
      await fetch(door.url + COPY + query, { headers: bearer(door) });
    await fetch(door.url + COPY, { method: 'HEAD', headers: bearer(door) });
    expect(callers).to.deep.equal([]);
    await door.stop();
  });
});

describe('who is limited', () => {
  it('is the wallet of a token, wherever it calls from, and the wallet and the code of a promo token', async () => {
    const { door, callers } = await open(['127.0.0.1']);
    await door.credits.createPromo({ code: 'SPRING', credits: 50, walletsMax: 2, days: 30 });
    const redeemed = await door.credits.redeem('spring', WALLET);
    if (redeemed.kind !== 'redeemed') throw new Error(redeemed.kind);
    await copy(door, { ...bearer(door), 'X-Forwarded-For': '192.0.2.1' });
    await copy(door, { ...bearer(door), 'X-Forwarded-For': '192.0.2.2' });
    await copy(door, { Authorization: `Bearer ${redeemed.token}` });
    // A code is named as it is kept, so that it stands nowhere in plain text.
    const { code } = (await door.credits.authenticate(redeemed.token))!;
    expect(code).to.not.include('SPRING');
    expect(callers).to.deep.equal([WALLET, WALLET, `${WALLET} ${code}`]);
    await door.stop();
  });

  const rows: readonly [title: string, trusted: string[], forwarded: string, expected: string[]][] = [
    ['is the connection while no proxy is trusted, whatever a request says', [], '192.0.2.1', ['127.0.0.1']],
    ['is who a trusted proxy names', ['127.0.0.0/8'], '192.0.2.1', ['192.0.2.1']],
    [
      'is the rightmost one that is not trusted',
      ['127.0.0.1', '10.0.0.0/8'],
      '6.6.6.6, 192.0.2.1, 10.1.2.3',
      ['192.0.2.1'],
    ],
  ];
  for (const [title, trusted, forwarded, expected] of rows) {
    it(title, async () => {
      const seen: string[] = [];
      const { door } = await open(trusted);
      door.http.server.on('request', (req) => seen.push((req as unknown as { ip: string }).ip));
      await fetch(`${door.url}/healthz`, { headers: { 'X-Forwarded-For': forwarded } });
      expect(seen).to.deep.equal(expected);
      await door.stop();
    });
  }
});

describe('callers behind a proxy that nobody named', () => {
  const warnings = (door: Door) => door.logLines.filter((line) => line.includes('TRUSTED_PROXIES'));

  it('are warned of once, because they share the limits of one address', async () => {
    const { door } = await open();
    await fetch(`${door.url}/healthz`);
    expect(warnings(door)).to.have.length(0);
    for (let i = 0; i < 3; i++) await fetch(`${door.url}/healthz`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(warnings(door)).to.have.length(1);
    expect(JSON.parse(warnings(door)[0]!)).to.include({ level: 40, proxy: '127.0.0.1' });
    await door.stop();
  });

  it('are nothing to warn of where the proxy is trusted', async () => {
    const { door } = await open(['127.0.0.1']);
    await fetch(`${door.url}/healthz`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(warnings(door)).to.have.length(0);
    await door.stop();
  });
});
