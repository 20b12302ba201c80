import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { moneyOf } from '#test/support/local-money';
import { type LocalProcess, newDataDir, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { PAID_CALLS, send } from '#test/support/paid-calls';
import { PAYING_CLIENTS, type PayingClient } from '#test/support/paying-clients';
import { publishSampleBoard } from '#test/support/rated-data-dir';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

const run = promisify(execFile);
const [REDEEMER, GRANTEE] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
/** A piece of a secret this long is in a file by no chance. */
const PIECE = 16;

/**
 * The forms in which a secret of base64url could lie in a file: as it is, both halves alone, its
 * bytes, and their digits.
 */
function formsOf(token: string): readonly Buffer[] {
  const secret = token.slice(-43);
  const bytes = Buffer.from(secret, 'base64url');
  const texts = [secret, secret.slice(0, PIECE), secret.slice(-PIECE), bytes.toString('hex'), bytes.toString('base64')];
  return [...texts.map((text) => Buffer.from(text)), bytes];
}

/** Made by the operator. That of the local profile is published beside its store. */
const CODE = 'A-CODE-THAT-NO-FILE-MAY-HOLD';

const hashOf = (token: string) => createHash('sha256').update(token.slice(-43)).digest('hex');

describe('the files of a data directory', function () {
  this.timeout(60_000);
  let local: LocalProcess;
  let redeemed: string;
  let granted: string;
  const bought: string[] = [];
  let files: ReadonlyMap<string, Buffer>;

  const admin = async (...command: readonly string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: local.dataDir };
    const args = [join(ROOT, 'dist/bundle/service/preflightctl.js'), 'admin', ...command, '--json'];
    return JSON.parse((await run(process.execPath, [...SHORT_LIVED, ...args], { env })).stdout);
  };

  /** Calls every tool twice with the same key, and looks at the balance. */
  async function spend(token: string): Promise<void> {
    const authorization = `Bearer ${token}`;
    for (const paid of PAID_CALLS.filter(({ path }) => path !== '/api/credits')) {
      for (const kind of ['charged', 'replayed']) {
        const headers = { authorization, 'Idempotency-Key': `key of ${paid.name}` };
        expect((await send(paid.call(local.facts), headers)).status, `${paid.name} ${kind}`).to.equal(200);
      }
    }
    expect((await send({ url: `${local.facts.url}/api/credits` }, { authorization })).status).to.equal(200);
  }

  async function buyPack(client: PayingClient): Promise<string> {
    const pack = PAID_CALLS.find(({ path }) => path === '/api/credits')!;
    const account = await moneyOf(local).newWallet(pack.priceMicros);
    const { text } = await client.buy(account, pack.call(local.facts));
    const { token } = JSON.parse(text);
    await spend(token);
    return token;
  }

  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir, env: { LOG_LEVEL: 'trace' } });
    redeemed = await redeemLocal(local.facts, REDEEMER);
    granted = (await admin('credits', 'grant', '--wallet', GRANTEE, '--credits', '20', '--days', '5')).token;
    await admin('promo', 'create', '--code', CODE, '--credits', '20', '--wallets', '9', '--days', '5');
    bought.push(await redeemLocal({ ...local.facts, promoCode: CODE }, GRANTEE));
    await spend(bought[0]!);
    expect((await admin('promo', 'list')).promos.map(({ code }: { code: string }) => code)).to.include(CODE);
    await spend(redeemed);
    await spend(granted);
    for (const client of PAYING_CLIENTS) bought.push(await buyPack(client));
    // Ended in the middle, so that nothing is tidied up.
    await local.end('SIGKILL');
    const names = readdirSync(local.dataDir, { recursive: true, withFileTypes: true });
    const paths = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    files = new Map(paths.map((path) => [path.slice(local.dataDir.length + 1), readFileSync(path)]));
  });
  after(async () => {
    await local?.end('SIGKILL');
    if (local !== undefined) rmSync(local.dataDir, { recursive: true, force: true });
  });

  const filesWith = (form: Buffer | string) =>
    [...files].flatMap(([name, bytes]) => (bytes.includes(form) ? [name] : []));

  it('are read raw: the hash of each token is among the credits', () => {
    for (const token of [redeemed, granted, ...bought])
      expect(filesWith(hashOf(token))).to.deep.equal(['credits.lmdb']);
  });

  it('hold no secret of a token that was redeemed, granted or bought, and then paid for calls with keys', () => {
    for (const token of [redeemed, granted, ...bought]) {
      for (const form of formsOf(token)) expect(filesWith(form)).to.deep.equal([]);
    }
  });

  it('hold no promo code that was made, redeemed and spent, neither whole nor in part', () => {
    for (const form of [CODE, CODE.slice(0, PIECE), CODE.slice(-PIECE), Buffer.from(CODE).toString('base64url')]) {
      expect(filesWith(form)).to.deep.equal([]);
    }
  });
});
