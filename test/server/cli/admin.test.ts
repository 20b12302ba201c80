import { readdirSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { addAdminCommands } from '#cli/admin/admin';
import { openCredits } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import type { Store } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { bearerOf } from '#test/server/services/support/credits-home';
import type { Run } from '#test/support/run-program';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runCommandHere } from './support/run-here.js';
import { runPreflight } from './support/run-preflight.js';

const WALLET = walletNumber(0xabc);
const READS_INPUT = / --token$/;
const MIXED_CASE = `0x${WALLET.slice(2).toUpperCase()}`;

describe('preflightctl admin, while the service has the store open', function () {
  this.timeout(PROCESS_TEST_MS);
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let credits: Credits;
  let store: Store;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    ({ credits, store } = openCredits(fixture.dataDir));
  });

  afterEach(async () => {
    await store.close();
    await fixture.remove();
  });

  function preflight(
    command: string,
    env: NodeJS.ProcessEnv = { DATA_DIR: fixture.dataDir },
    input: string | null = null,
  ): Promise<Run> {
    return runPreflight(['admin', ...command.split(' ')], { env, input: input ?? '' });
  }

  /** The same in this process: what reads standard input, and one command that does it all, has its own. */
  function here(command: string): Promise<Run> {
    const location = command.includes('--data-dir') ? '' : ` --data-dir ${fixture.dataDir}`;
    return runCommandHere(addAdminCommands, `admin ${command}${location}`);
  }

  async function json(command: string, run = here): Promise<Record<string, unknown>> {
    const { exitCode, stdout, stderr } = await run(`${command} --json`);
    expect(exitCode, stderr).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.have.length(1);
    return JSON.parse(stdout);
  }

  it('makes a code that the running service redeems at once, lists it and revokes it', async () => {
    const made = await json('promo create --code spring-26 --credits 50 --wallets 2 --days 10', preflight);
    expect(made).to.include({ ok: true, code: 'SPRING-26', state: 'active', credits: 50, wallets_max: 2, redeemed: 0 });
    expect(await credits.redeem('Spring-26', WALLET)).to.include({ kind: 'redeemed', balance: 50 });
    const listed = (await json('promo list')).promos;
    expect(listed).to.deep.equal([{ ...made, ok: undefined, redeemed: 1 }].map(({ ok: _, ...promo }) => promo));
    const revoked = await json('promo revoke --code SPRING-26 --yes', preflight);
    expect(revoked).to.deep.equal({ ok: true, code: 'SPRING-26', wallets: 1, credits_revoked: 50 });
    expect((await here('promo revoke SPRING-26 --yes')).exitCode, 'nothing is left to take').to.equal(1);
    expect((await credits.balanceOf(bearerOf(WALLET))).balance).to.equal(0);
    expect((await credits.redeem('SPRING-26', walletNumber(2))).kind).to.equal('expired');
    expect((await here('promo list')).stdout).to.match(/^CODE +STATE.*\nSPRING-26 +revoked +50 +1\/2 /);
  });

  it('grants credits and prints a token once, which opens the running service', async () => {
    const first = await json(`credits grant --wallet ${MIXED_CASE} --credits 10 --days 5`);
    expect(first).to.include({ ok: true, wallet: WALLET, credits_added: 10, balance: 10 });
    expect(await credits.authenticate(String(first.token))).to.deep.equal(bearerOf(WALLET));
    const second = await here(`credits grant --wallet ${WALLET} --credits 5 --note thanks`);
    expect(second.stdout).to.include('balance 15').and.not.include('tk_');
    expect((await store.ledger(WALLET, 10)).at(-1)?.operation).to.equal('grant: thanks');
  });

  it('takes credits away, some or all', async () => {
    await credits.grant(WALLET, 10, 365, '');
    const some = await json(`credits revoke --wallet ${WALLET} --credits 3 --yes`);
    expect(some).to.deep.equal({ ok: true, wallet: WALLET, credits_revoked: 3, balance: 7 });
    expect(await json(`credits revoke --wallet ${WALLET} --all --yes`)).to.include({ credits_revoked: 7, balance: 0 });
    expect((await credits.balanceOf(bearerOf(WALLET))).balance).to.equal(0);
  });

  it('revokes a token without printing it back, or all tokens of a wallet', async () => {
    const token = (await credits.grant(WALLET, 10, 365, '')).token ?? '';
    const one = await preflight('tokens revoke --token --yes', undefined, `${token}\n`);
    expect(one).to.deep.equal({ exitCode: 0, stdout: '1 token revoked\n', stderr: '' });
    expect(await credits.authenticate(token)).to.equal(null);
    expect(await preflight('tokens revoke --token --yes', undefined, `${token}\n`)).to.include({
      exitCode: 1,
      stdout: '0 tokens revoked\n',
    });
    const fresh = (await credits.grant(WALLET, 1, 365, '')).token ?? '';
    expect(await json(`tokens revoke --wallet ${WALLET} --yes`)).to.deep.equal({ ok: true, tokens_revoked: 1 });
    expect(await credits.authenticate(fresh)).to.equal(null);
  });

  it('takes what a command is about as its argument, once, and by the option of before', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 2, days: 1 });
    await credits.grant(WALLET, 10, 365, '');
    const payment = `0x${'7a'.repeat(32)}`;
    const forms = [
      { command: 'promo show', option: 'code', value: 'spring' },
      { command: 'promo revoke --dry-run', option: 'code', value: 'spring' },
      { command: 'credits revoke --all --dry-run', option: 'wallet', value: WALLET },
      { command: 'tokens revoke --dry-run', option: 'wallet', value: WALLET },
      { command: 'credits refund --dry-run', option: 'payment', value: payment },
      { command: 'evidence revoke', option: 'kid', value: 'nobody' },
    ];
    for (const { command, option, value } of forms) {
      const now = await preflight(`${command} ${value} --json`);
      expect(await preflight(`${command} --${option} ${value} --json`), command).to.deep.equal(now);
      const twice = await preflight(`${command} ${value} --${option} ${value} --json`);
      expect([twice.exitCode, twice.stdout], command).to.deep.equal([2, '']);
      expect(twice.stderr).to.match(/give the \w+ once/);
      const none = await preflight(`${command} --json`);
      expect([none.exitCode, none.stdout], command).to.deep.equal([2, '']);
    }
  });

  it('revokes what its argument names', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 2, days: 1 });
    const token = (await credits.grant(WALLET, 10, 365, '')).token ?? '';
    expect(await json('promo revoke spring --yes')).to.include({ code: 'SPRING' });
    expect((await credits.redeem('SPRING', WALLET)).kind).to.equal('expired');
    expect(await json(`credits revoke ${MIXED_CASE} --credits 3 --yes`)).to.include({ wallet: WALLET, balance: 7 });
    expect(await json(`tokens revoke ${MIXED_CASE} --yes`)).to.deep.equal({ ok: true, tokens_revoked: 1 });
    expect(await credits.authenticate(token)).to.equal(null);
  });

  it('takes nothing from customers before somebody has agreed, and says what it would take', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 2, days: 1 });
    await credits.redeem('SPRING', WALLET);
    await credits.grant(WALLET, 10, 365, '');
    const cases: readonly (readonly [string, string])[] = [
      [`credits revoke --wallet ${WALLET} --credits 30`, `take 15 of the 15 credits of ${WALLET}`],
      [`tokens revoke --wallet ${WALLET}`, `end the 2 tokens of ${WALLET}`],
      ['promo revoke --code spring', 'end the code SPRING and take back what is left of the credits of 1 wallets'],
    ];
    for (const [command, would] of cases) {
      const { exitCode, stdout, stderr } = await preflight(command);
      expect([exitCode, stdout], command).to.deep.equal([2, '']);
      expect(stderr).to.include(`this would ${would}`).and.include('--yes');
      expect(await json(`${command} --dry-run --yes`))
        .to.include({ dry_run: true })
        .and.have.property('would');
      expect((await here(`${command} --dry-run`)).stdout).to.include(would);
    }
    expect((await store.tokens(WALLET))?.tokens).to.have.length(2);
    expect((await credits.balanceOf(bearerOf(WALLET))).balance).to.equal(15);
    expect(await credits.redeem('SPRING', walletNumber(2))).to.include({ kind: 'redeemed' });
  });

  it('ends with 1 when there was nothing to take', async () => {
    const none = await here(`credits revoke --wallet ${WALLET} --all --yes`);
    expect(none).to.include({ exitCode: 1, stdout: `${WALLET}: 0 credits revoked, balance 0\n` });
  });

  it('prints its version', async () => {
    const { exitCode, stdout } = await runPreflight(['--version'], { env: {} });
    expect([exitCode, stdout]).to.deep.equal([0, `${PRODUCT_VERSION}\n`]);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['promo create --code A --credits 5 --wallets 5 --days 5', 'code must be 3 to 64'],
    ['promo create --code ABC --credits 0 --wallets 5 --days 5', 'credits must be a whole number from 1'],
    ['promo create --code ABC --credits 1.5 --wallets 5 --days 5', 'Give a whole number'],
    ['promo create --code ABC --credits 5 --wallets 5', "required option '--days <n>' not specified"],
    ['credits grant --wallet 0x12 --credits 5', 'Give an EVM address'],
    [`credits revoke --wallet ${WALLET}`, '--credits N, or --all'],
    [`credits revoke --wallet ${WALLET} --all --credits 5`, 'cannot be used with'],
    ['tokens revoke', 'a wallet (0x…) for all of its tokens'],
    ['tokens revoke --token', 'read from standard input'],
    ['tokens revoke --token tk_secret', 'the argument is no wallet address'],
    ['promo lost', "unknown command 'lost'"],
  ];

  for (const [command, says] of wrong) {
    it(`refuses "${command}" with exit code 2, and says what to do on stderr only`, async () => {
      const run = READS_INPUT.test(command) ? preflight : here;
      const { exitCode, stdout, stderr } = await run(`${command} --json`);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include('error: ').and.include(says);
    });
  }

  it('fails with exit code 1 where the store says no', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 1, walletsMax: 1, days: 1 });
    const cases: readonly (readonly [string, string])[] = [
      ['promo create --code spring --credits 5 --wallets 5 --days 5', 'SPRING exists already'],
      ['promo revoke --code WINTER --yes', 'there is no code WINTER'],
      [
        `promo create --code ABC --credits 5 --wallets 5 --days 5 --data-dir ${fixture.path}/no-directory`,
        'cannot open',
      ],
    ];
    for (const [command, says] of cases) {
      const { exitCode, stdout, stderr } = await here(`${command} --json`);
      expect([exitCode, stdout], command).to.deep.equal([1, '']);
      expect(stderr).to.include(says);
    }
  });

  const create = 'promo create --code ABC --credits 5 --wallets 5 --days 5';

  it('makes a store where there is none, and says so', async () => {
    const { exitCode, stderr } = await preflight(`${create} --data-dir ${fixture.dataDir}/new`, {});
    expect(exitCode).to.equal(0);
    expect(stderr).to.include('creating a new store at').and.include('new');
  });

  it('makes a store that no other user of the machine can read', async () => {
    const dir = `${fixture.dataDir}/new`;
    await preflight(`${create} --data-dir ${dir}`, {});
    const modes = [dir, ...readdirSync(dir).map((name) => `${dir}/${name}`)].map((path) => statSync(path).mode & 0o077);
    expect(modes.length).to.be.above(1);
    expect(modes).to.deep.equal(modes.map(() => 0));
  });

  it('rotates, lists and revokes the keys of evidence', async () => {
    const first = openEvidence(fixture.dataDir).current().kid;
    const { key } = (await json('evidence rotate')) as { key: { kid: string; state: string } };
    expect(key.state).to.equal('current');
    expect(openEvidence(fixture.dataDir).current().kid).to.equal(key.kid);
    const revoked = await json(`evidence revoke --kid ${first}`);
    expect(revoked).to.have.nested.property('revoked.state', 'revoked');
    expect(revoked).to.have.nested.property('current.kid', key.kid);
    const { stdout } = await here('evidence list');
    expect(stdout.split('\n').map((line) => line.split('  ').slice(0, 2))).to.deep.equal([
      [key.kid, 'current'],
      [first, 'revoked'],
      [''],
    ]);
    expect((await here('evidence revoke --kid nobody')).exitCode).to.equal(2);
  });

  it('makes, lists and revokes no key of evidence where the service has none', async () => {
    const before = readdirSync(fixture.dataDir);
    for (const command of ['evidence list', 'evidence rotate', 'evidence revoke nobody']) {
      const { exitCode, stderr } = await here(command);
      expect([exitCode, stderr], command).to.deep.equal([2, stderr]);
      expect(stderr, command).to.include(`${fixture.dataDir}/evidence-keys`).and.include('--keys-dir');
    }
    expect(readdirSync(fixture.dataDir)).to.deep.equal(before);
  });
});
