import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { fileState, Preflight } from '#client/node/index';
import { clientSystem } from '#client/system';
import { ManualClock } from '#test/support/manual-clock';
import { tempFolder } from '#test/support/temp-folder';
import { answer, startHostileServer, type Trick } from './support/hostile-server.js';
import { CATEGORIES, OTHERS } from './support/tricks.js';

const SECRET = 'c0ffee5ecret0f0ne70ken';

describe('secrets of the client', function () {
  this.timeout(60_000);
  let home: string;
  beforeEach(() => {
    home = join(tempFolder('secrets'), 'state');
  });
  /** All that is left on disk. */
  const stored = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${name}: ${readFileSync(join(parentPath, name), 'utf8')}`)
      .join('\n');

  it('are in no error, and in no file of a purchase that is over', async () => {
    const privateKey = generatePrivateKey();
    const account = privateKeyToAccount(privateKey);
    const token = `tk_${account.address}_${SECRET}`;
    const signatures: string[] = [];
    const signer = {
      address: account.address,
      async signTypedData(data: Parameters<typeof account.signTypedData>[0]) {
        const signature = await account.signTypedData(data);
        signatures.push(signature.slice(2));
        return signature;
      },
    };
    const clock = new ManualClock(Date.now());
    const system = {
      ...clientSystem,
      clock,
      timers: { ...clientSystem.timers, sleep: async () => clock.advance(30_000) },
    };
    const texts: string[] = [];
    const honest: Trick = { paid: (response) => answer(response, 'v2', { ok: true, verdict: 'OK' }) };
    const broken: Trick = { unpaid: (response) => response.destroy().destroyed };
    for (const trick of [honest, broken, ...CATEGORIES, ...OTHERS]) {
      const server = await startHostileServer(trick, 'v2');
      const options = {
        baseUrl: server.url,
        ledger: fileState(home, clock),
        limits: { dailyMicros: 10_000_000n },
        system,
      };
      for (const more of [{ account: signer }, { token }]) {
        const preflight = new Preflight({ ...options, ...more });
        await preflight.verdict({ slug: 'a' }).then(
          ({ text }) => texts.push(text),
          (error) => texts.push(String(error), error.stack, JSON.stringify(error), inspect(error, { depth: 9 })),
        );
        clock.advance(24 * 3_600_000);
        // What was left open is looked at once more, and is over by now.
        const later = new Preflight({ ...options, ...more, fetch: () => Promise.reject(new Error('gone')) });
        await later.verdict({ slug: 'a' }).catch(() => {});
      }
      await server.close();
    }
    expect(signatures.length).to.be.above(5);
    const files = stored();
    expect(files).to.include('"outcome":"answered"').and.to.include('"outcome":"expired"');
    for (const secret of [privateKey.slice(2), SECRET, ...signatures]) {
      expect(texts.join('\n')).to.not.include(secret);
      expect(files).to.not.include(secret);
    }
  });
});
