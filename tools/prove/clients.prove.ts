import { spawnSync } from 'node:child_process';
import { needAnvil, newPayer } from '#test/local/support/chain-harness';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { skipLoudly } from '#test/support/skipped';
import { type InstalledClients, installClients, versionOf } from './other-clients/install.js';
import type { Row } from './other-clients/row.js';
import { ROWS } from './other-clients/rows.js';
import { type Played, writePage } from './other-clients/table.js';

const WALLET_MICROS = 1_000_000n;

describe('clients of others', () => {
  const played: Played[] = [];
  let service: PaidService;
  let clients: InstalledClients;

  before(async function () {
    needAnvil(this);
    clients = await installClients();
    service = await startPaidService();
  });
  after(async () => {
    await service?.stop();
    if (played.length === ROWS.length) writePage(played);
  });

  /** The version of what is tried, or why it cannot be. */
  function versionIn({ npm, program }: Row): { readonly version: string } | { readonly why: string } {
    if (npm !== undefined) {
      return clients.kind === 'installed' ? { version: versionOf(clients.dir, npm) } : { why: clients.why };
    }
    const [file, ...args] = program!;
    const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
    if (status !== 0) return { why: `not installed on this machine: apt-get install ${file.split('/').at(-1)}` };
    return { version: /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? 'unknown' };
  }

  for (const row of ROWS) {
    it(`${row.npm ?? row.client} ${row.tries}`, async function () {
      const found = versionIn(row);
      const { client, tries } = row;
      if ('why' in found) {
        played.push({ client, version: '–', tries, result: 'not run', says: found.why });
        skipLoudly(this, found.why);
      }
      const note = (result: Played['result'], says: string) => played.push({ client, tries, result, says, ...found });
      try {
        note('works', await playRow(row));
      } catch (error) {
        note('FAILS', error instanceof Error ? error.message : String(error));
        throw error;
      }
    });
  }

  /** Plays a row with a wallet of its own, and holds what left it against the price. */
  async function playRow({ run, paysMicros = 0n }: Row): Promise<string> {
    const payer = await newPayer(service.chain, WALLET_MICROS);
    const dir = clients.kind === 'installed' ? clients.dir : '';
    const says = await run({ service, dir, payer });
    const paid = WALLET_MICROS - (await service.chain.balanceOf(payer.address));
    if (paid !== paysMicros) throw new Error(`${paid} micro-USDC left the wallet, not ${paysMicros}`);
    return says;
  }
});
