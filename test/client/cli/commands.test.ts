import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { clientSystem } from '#client/system';
import { ManualClock } from '#test/support/manual-clock';
import { tempFolder } from '#test/support/temp-folder';
import { answer, type HostileServer, startHostileServer, THIEF, type Trick } from '../support/hostile-server.js';
import { runInProcess, type TestWorldOptions } from './support/test-world.js';

const KEY = generatePrivateKey();
const PAYER = privateKeyToAddress(KEY).toLowerCase();
/** Moves the cursor up so many lines and clears what is below. */
const ESC = '\u001b';
const UP_AND_CLEAR = new RegExp(`${ESC}\\[(\\d+)A${ESC}\\[J`);
const TOKEN = `tk_${PAYER}_${'s3cret'.repeat(4)}`;

describe('commands', () => {
  let dir: string;
  let server: HostileServer | null;
  beforeEach(() => {
    dir = tempFolder('cli');
    server = null;
  });
  afterEach(() => server?.close());

  const file = (name: string, text: string, mode = 0o600): string => {
    const path = join(dir, name);
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    return path;
  };
  /** Time passes when somebody waits, and not otherwise. */
  const hurried = (clock = new ManualClock(Date.now())) => ({
    ...clientSystem,
    clock,
    timers: { ...clientSystem.timers, sleep: async (ms: number) => clock.advance(ms) },
  });
  const start = async (trick: Trick): Promise<void> => {
    server = await startHostileServer(trick, 'v2');
  };
  const run = (args: readonly string[], { env, ...more }: TestWorldOptions = {}) =>
    runInProcess(args, {
      system: hurried(),
      ...more,
      env: { PREFLIGHT_URL: server?.url, PREFLIGHT_HOME: join(dir, 'home'), PREFLIGHT_PRIVATE_KEY: KEY, ...env },
    });
  const body = { ok: true, verdict: 'OK', reasons: ['fine'], market: { slug: 'a' } };
  const answering = (received: object, headers: Readonly<Record<string, string>> = {}, status = 200): Trick => ({
    paid(response) {
      response.writeHead(status, headers);
      answer(response, 'v2', received);
    },
  });

  it('end as the answer says', async () => {
    const past = { ...body, meta: { valid_until: '2020-01-01T00:00:00.000Z' } };
    const queued = { ok: true, verdict: 'QUEUED', retry_after_seconds: 5, reasons: ['later'] };
    const rows: readonly [args: string[], trick: Trick, code: number, says: RegExp][] = [
      [['verdict', 'a'], answering(body), 0, /^OK {2}/],
      [['verdict', 'a'], answering({ ...body, verdict: 'CAUTION' }), 10, /^CAUTION {2}/],
      [['verdict', 'a'], answering({ ...body, verdict: 'VETO' }), 20, /^VETO {2}/],
      [['verdict', 'a'], answering(body, { 'idempotent-replayed': 'true' }), 10, /^OK \(stale\).*- stale: /s],
      [['verdict', 'a'], answering(past), 10, /^OK \(stale\).*- stale: /s],
      [['verdict', 'a'], answering({ ...body, verdict: 'FINE' }), 1, /^FINE {2}/],
      [
        ['verdict', 'a', '--sandbox'],
        { unpaid: (response) => answered(response, { ...body, sandbox: true }) },
        10,
        /example/,
      ],
    ];
    for (const [args, trick, code, says] of rows) {
      await start(trick);
      const { exitCode, stdout, stderr } = await run(args);
      expect([args.join(' '), exitCode, stderr.includes('error')]).to.deep.equal([args.join(' '), code, false]);
      expect(stdout).to.match(says);
      await server!.close();
    }
    await start({ unpaid: (response) => answered(response, queued, 202) });
    expect((await run(['copy', PAYER])).exitCode).to.equal(30);
  });

  it('end with 3 if a rule refused, with 4 if the outcome is not known, with 1 if nothing was sent, and say what was charged', async () => {
    const rows: readonly [trick: Trick, code: number, charged: RegExp][] = [
      [{ accepts: (entry) => [{ ...entry, payTo: THIEF }] }, 3, /payee_mismatch.*charged: nothing/s],
      [
        { paid: (response) => void response.destroy() },
        4,
        /charged: not known yet, and at most once\n {2}next: .*resumes/s,
      ],
      [{ paid: (response) => redirected(response) }, 4, /redirect_refused.*charged: not known yet/s],
      [{ paid: (_, again) => again() }, 4, /refused the payment.*charged: not known yet.*may be until \d{4}-/s],
      [
        { unpaid: (response) => answered(response, { error: 'no such market', code: 'unknown_market' }, 400) },
        1,
        /no such market.*charged: nothing/s,
      ],
    ];
    for (const [trick, code, charged] of rows) {
      rmSync(join(dir, 'home'), { recursive: true, force: true });
      await start(trick);
      const { exitCode, stdout, stderr } = await run(['verdict', 'a']);
      expect([exitCode, stdout]).to.deep.equal([code, '']);
      expect(stderr).to.match(charged);
      await server!.close();
    }
    // An address that no connection was ever open to: one in the pool would break in the middle of a call.
    await start({});
    await server!.close();
    expect((await run(['verdict', 'a'])).stderr).to.match(/nothing listens at http:.*charged: nothing/s);
  });

  it('go on with an open purchase when they are given again, also with --json', async () => {
    const sent = new Set<string>();
    let isBroken = true;
    await start({
      paid(response) {
        sent.add(String(response.req.headers['payment-signature']));
        if (isBroken) response.destroy();
        else answer(response, 'v2', body);
      },
    });
    expect((await run(['verdict', 'a'])).exitCode).to.equal(4);
    const open = JSON.parse((await run(['limits', '--json'])).stdout);
    expect(open).to.deep.include({ payer: PAYER, spent_24h: { usd: 0.02, packs: 0 } });
    expect(open.open[0]).to.include({ method: 'GET', usd: 0.02, signed: true, lane: 'x402' });
    expect((await run(['limits'])).stdout).to.match(
      /0\.02 USD spent of 2\.00 USD.*open purchases: .*may be charged until/s,
    );
    isBroken = false;
    expect((await run(['verdict', 'a', '--json'])).stdout).to.equal(`${JSON.stringify(body)}\n`);
    expect(sent.size, 'authorizations').to.equal(1);
  });

  it('end with 2 if they cannot be understood, and send nothing', async () => {
    await start({});
    const rows: readonly [args: string[], env: Record<string, string | undefined>, says: RegExp][] = [
      [[], {}, /Usage: preflight/],
      [['verdict'], {}, /missing required argument/],
      [['verdict', 'a', '--usd', '-1'], {}, /Give a number/],
      [['verdict', 'a', '--side', 'up'], {}, /Give buy or sell/],
      [['verdict', 'a', '--nonsense'], {}, /unknown option.*--help/s],
      [['verdict', 'a'], { PREFLIGHT_URL: undefined }, /name the service: --url/],
      [['verdict', 'a', '--url', 'ftp://a.example'], {}, /address of the service/],
      // It is not repeated: a password may be in it.
      [['verdict', 'a', '--url', 'https://me:pass@a.example'], {}, /^preflight: the address[^@]*leave them out\n$/],
      [['status'], { PREFLIGHT_URL: `${server!.url}/?a=b` }, /has a query or a fragment: write http:\S+:\d+\/\n$/],
      [['status'], { PREFLIGHT_URL: `${server!.url}/x?` }, /has a query or a fragment: write http:\S+\/x\n$/],
      [['verdict', 'a', '--url', `${server!.url}#a`], {}, /has a query or a fragment: write/],
      [['verdict', 'a'], { PREFLIGHT_PRIVATE_KEY: undefined }, /Give a private key.*or a token.*--sandbox/],
      [['verdict', 'a', '--key-file', 'x', '--token-file', 'y'], {}, /choose: --key-file/],
      [['copy', 'harrow.field'], {}, /user names are not accepted/],
      [['verdict', `0x01${'ab'.repeat(30)}`], {}, /condition id of a market.*Nothing was sent/s],
      [['verdict', 'https://polymarket.com/profile/a'], {}, /a wallet, not a market/],
      [['verdict', 'a', '--usd', '$1,000'], {}, /without signs of money/],
      [['watch', 'a', '--interval', '0'], {}, /Give 1 to 86400 seconds/],
      [['watch', 'a', '--count', '0'], {}, /Give a whole number from 1 on/],
      [['watch', 'a', '--count', '-1'], {}, /Give a whole number from 1 on/],
      // Longer than any timer runs: it would end at once, and the next call with it.
      [['watch', 'a', '--interval', '2147484'], {}, /Give 1 to 86400 seconds/],
      [['verdict', 'a', '--deadline', '2147484'], {}, /Give 1 to 86400 seconds/],
      [['mcp', '--key-file', '-'], {}, /standard input carries the protocol/],
      [['buy'], {}, /pays 500 credits.*for 5\.00 USD: add --yes\. Nothing was paid/],
      [['buy', '--yes'], { PREFLIGHT_PRIVATE_KEY: undefined }, /paid by a private key/],
      [['token'], { PREFLIGHT_PRIVATE_KEY: undefined }, /the private key of the wallet signs for a new token/],
      [['token', '--quiet'], {}, /--quiet would lose the token/],
      [['verify', join(dir, 'nowhere')], {}, /cannot be read \(ENOENT\)/],
      [['limits'], { PREFLIGHT_PRIVATE_KEY: undefined }, /name the wallet/],
    ];
    for (const [args, env, says] of rows) {
      const { exitCode, stdout, stderr } = await run(args, { env });
      expect([args.join(' '), exitCode, stdout]).to.deep.equal([args.join(' '), 2, '']);
      expect(stderr).to.match(says);
    }
    expect(Object.values(server!.seen).every((count) => count === 0)).to.equal(true);
  });

  it('say what was charged when somebody ends them', async () => {
    let ending: AbortController;
    const end = () => ending.abort(new Error('ended by SIGINT'));
    const rows: readonly [trick: Trick, code: number, says: RegExp][] = [
      [{ unpaid: () => end() ?? true }, 1, /^preflight: ended by SIGINT\n {2}charged: nothing\n$/],
      [{ paid: end }, 4, /charged: not known yet, and at most once/],
    ];
    for (const [trick, code, says] of rows) {
      ending = new AbortController();
      await start(trick);
      const { exitCode, stderr } = await run(['verdict', 'a'], { signal: ending.signal });
      expect(exitCode).to.equal(code);
      expect(stderr).to.match(says);
      await server!.close();
    }
  });

  it('print with --json the bytes of the answer and nothing else, for a terminal with everything escaped that acts on it', async () => {
    const bytes = '{"ok":true, "verdict":"OK","reasons":["a\u009b31m\u202e\u{e0041}\\u001b"]}';
    await start({ paid: (response) => void response.end(bytes) });
    expect(await run(['verdict', 'a', '--json'])).to.deep.equal({ exitCode: 0, stdout: `${bytes}\n`, stderr: '' });
    const { stdout } = await run(['verdict', 'a', '--json'], { isTerminal: true });
    expect(stdout).to.match(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(bytes));
  });

  it('print nothing with --quiet but errors, and end as they would without it', async () => {
    const answers: readonly (readonly [verdict: string, code: number])[] = [
      ['OK', 0],
      ['CAUTION', 10],
      ['VETO', 20],
      ['FINE', 1],
    ];
    for (const [verdict, exitCode] of answers) {
      await start(answering({ ...body, verdict }));
      expect(await run(['verdict', 'a', '--quiet']), verdict).to.deep.equal({ exitCode, stdout: '', stderr: '' });
      await server!.close();
    }
    await start({ accepts: (entry) => [{ ...entry, payTo: THIEF }] });
    const refused = await run(['verdict', 'a', '--quiet', '--fresh']);
    expect(refused).to.include({ exitCode: 3, stdout: '' });
    expect(refused.stderr).to.match(/payee_mismatch.*charged: nothing/s);
    expect((await run(['verdict', 'a', '--quiet', '--json'])).exitCode).to.equal(2);
  });

  it('widen a limit only where the command line names it', async () => {
    await start({});
    const env = { PREFLIGHT_MAX_PER_DAY: '9', MAX_PER_DAY: '9', PREFLIGHT_LIMITS: '{"dailyMicros":9}' };
    const codes = async (args: readonly string[]) => (await run(['verdict', 'a', ...args], { env })).exitCode;
    expect(await codes(['--max-per-call', '0.01'])).to.equal(3);
    expect(await codes(['--max-per-day', '0.03'])).to.equal(0);
    expect(await codes(['--max-per-day', '0.03'])).to.equal(3);
    expect(await codes([])).to.equal(0);
    expect(await codes(['--payee', THIEF])).to.equal(3);
    expect(await codes(['--max-authorization', '10'])).to.equal(3);
  });

  describe('take keys and tokens', () => {
    const outcome = async (args: readonly string[], env: Record<string, string | undefined>, input = '') => {
      await start({ unpaid: () => false });
      const ended = await run(args, { env: { PREFLIGHT_PRIVATE_KEY: undefined, ...env }, input });
      await server!.close();
      return ended;
    };
    const verdict = ['verdict', 'a'];

    it('from a file, a variable or a prompt', async () => {
      const path = file('key', `${KEY}\n`);
      expect((await outcome([...verdict, '--key-file', path], {})).exitCode).to.equal(0);
      expect((await outcome(verdict, { PREFLIGHT_KEY_FILE: path })).exitCode).to.equal(0);
      expect((await outcome(verdict, { PREFLIGHT_PRIVATE_KEY: KEY })).exitCode).to.equal(0);
      expect((await outcome(verdict, { PREFLIGHT_PRIVATE_KEY: KEY.slice(2) })).exitCode).to.equal(0);
      expect((await outcome([...verdict, '--key-file', '-'], {}, KEY)).exitCode).to.equal(0);
      for (const [args, env, input] of [
        [['--token-file', file('token', TOKEN)], {}, ''],
        [[], { PREFLIGHT_TOKEN_FILE: join(dir, 'token') }, ''],
        [[], { PREFLIGHT_TOKEN: TOKEN }, ''],
        [['--token-file', '-'], {}, TOKEN],
      ] as const) {
        const { stdout } = await outcome(['limits', '--json', ...args], env, input);
        expect(JSON.parse(stdout).payer).to.equal(PAYER);
      }
    });

    it('from no file that others can read, and from no file that holds something else', async () => {
      const open = file('key', KEY, 0o640);
      const { exitCode, stderr } = await outcome([...verdict, '--key-file', open], {});
      expect([exitCode, stderr]).to.deep.equal([
        2,
        `preflight: ${open} is open to other users of this machine: chmod 600 ${open}, and nothing was read\n`,
      ]);
      expect((await outcome([...verdict, '--token-file', file('t', TOKEN, 0o604)], {})).exitCode).to.equal(2);
      for (const text of [
        '',
        'hello',
        KEY.slice(0, -1),
        `0x${'f'.repeat(64)}`,
        `0x${'0'.repeat(64)}`,
        `${KEY} ${KEY}`,
      ]) {
        const ended = await outcome([...verdict, '--key-file', file('key', text)], {});
        expect([ended.exitCode, ended.stderr.includes('holds no private key')]).to.deep.equal([2, true]);
        if (text !== '') expect(ended.stderr).to.not.include(text);
      }
      const folder = await outcome([...verdict, '--key-file', tempFolder('no-key')], {});
      expect([folder.exitCode, folder.stderr.includes('is a folder: name the file of the private key')]).to.deep.equal([
        2,
        true,
      ]);
      const noToken = await outcome([...verdict, '--token-file', file('token', `x${TOKEN}`)], {});
      expect([noToken.exitCode, noToken.stderr.includes('holds no token')]).to.deep.equal([2, true]);
    });

    it('never from an argument, and repeat none that came as one', async () => {
      const rows = [
        [...verdict, '--key', KEY],
        [...verdict, `--private-key=${KEY}`],
        [...verdict, '--key-file', KEY],
        [...verdict, '--token-file', TOKEN],
        ['verdict', KEY.slice(2)],
        ['copy', KEY],
        ['verify', TOKEN],
        ['limits', '--payer', KEY],
        ['credits', TOKEN],
        [KEY],
      ];
      for (const args of rows) {
        const { exitCode, stdout, stderr } = await outcome(args, {});
        expect([exitCode, stdout]).to.deep.equal([2, '']);
        expect(stderr).to.match(/an argument looks like a key or a token.*--key-file/);
        for (const secret of [KEY.slice(2), TOKEN]) expect(stderr).to.not.include(secret);
      }
    });

    it('from one source: two of them for one secret are a mistake, and the command line goes before the environment', async () => {
      const path = file('key', KEY);
      const both = await outcome(verdict, { PREFLIGHT_KEY_FILE: path, PREFLIGHT_PRIVATE_KEY: KEY });
      expect([both.exitCode, both.stderr]).to.deep.equal([
        2,
        'preflight: PREFLIGHT_KEY_FILE and PREFLIGHT_PRIVATE_KEY are both set: unset one of them\n',
      ]);
      await start({});
      // A server that demands payment although a token is there would leave the token's purchase
      // refused.
      const { exitCode } = await run([...verdict, '--key-file', path], { env: { PREFLIGHT_TOKEN: TOKEN } });
      expect([exitCode, server!.seen.paid]).to.deep.equal([0, 1]);
    });
  });

  describe('that bring a token', () => {
    const bought = {
      ok: true,
      token: TOKEN,
      wallet: PAYER,
      credits_added: 500,
      balance: 500,
      expires: '2027-01-01T00:00:00Z',
    };

    it('keep it in a new file of their own, and do not print it', async () => {
      await start(answering(bought));
      const path = join(dir, 'pack.token');
      const { exitCode, stdout } = await run(['buy', '--yes', '--save-token', path]);
      expect([exitCode, stdout.includes(TOKEN), readFileSync(path, 'utf8')]).to.deep.equal([0, false, `${TOKEN}\n`]);
      expect((statSync(path).mode & 0o777).toString(8)).to.equal('600');
    });

    it('keep each in a file of its own under PREFLIGHT_HOME if none is named', async () => {
      await start(answering(bought));
      const clock = new ManualClock(Date.now());
      const system = hurried(clock);
      const runs = ['one', 'two'].map(() => ['buy', '--yes', '--max-packs-per-day', '2', '--save-token'] as const);
      for (const args of runs) {
        const { exitCode, stdout, stderr } = await run(args, { system });
        expect([exitCode, stdout.includes(TOKEN)], stderr).to.deep.equal([0, false]);
        clock.advance(1);
      }
      const folder = join(dir, 'home', 'tokens');
      const files = readdirSync(folder).map((name) => join(folder, name));
      expect(files.map((path) => readFileSync(path, 'utf8'))).to.deep.equal([`${TOKEN}\n`, `${TOKEN}\n`]);
      const modes = [folder, ...files].map((path) => (statSync(path).mode & 0o777).toString(8));
      expect(modes).to.deep.equal(['700', '600', '600']);
    });

    it('pay nothing if the token would be lost with --quiet, and are silent with a file', async () => {
      await start(answering(bought));
      const lost = await run(['buy', '--yes', '--quiet']);
      expect(lost).to.include({ exitCode: 2, stdout: '' });
      expect(lost.stderr).to.include('--quiet would lose the token');
      expect(server!.seen.paid).to.equal(0);
      const path = join(dir, 'quiet.token');
      const kept = await run(['buy', '--yes', '--quiet', '--save-token', path]);
      expect(kept).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' });
      expect(readFileSync(path, 'utf8')).to.equal(`${TOKEN}\n`);
    });

    it('pay nothing if the file is there already or cannot be made, and leave none when nothing came', async () => {
      await start({ paid: (response) => void response.destroy() });
      const there = file('there', 'mine');
      for (const path of [there, join(dir, 'no', 'folder')]) {
        expect((await run(['buy', '--yes', '--save-token', path])).exitCode).to.equal(2);
      }
      expect([server!.seen.paid, readFileSync(there, 'utf8')]).to.deep.equal([0, 'mine']);
      const path = join(dir, 'later');
      expect((await run(['buy', '--yes', '--save-token', path])).exitCode).to.equal(4);
      expect(() => statSync(path)).to.throw('ENOENT');
    });

    it('show all of an answer that holds none, because it is paid for', async () => {
      const without = { ...bought, token: 7 };
      await start(answering(without));
      const path = join(dir, 'none');
      const { exitCode, stdout } = await run(['buy', '--yes', '--save-token', path]);
      expect([exitCode, JSON.parse(stdout)]).to.deep.equal([1, without]);
      expect(() => statSync(path)).to.throw('ENOENT');
    });

    it('go on with the empty file that a killed one left, and not with one that others can read', async () => {
      await start(answering(bought));
      const readable = file('readable', '', 0o644);
      expect((await run(['buy', '--yes', '--save-token', readable])).exitCode).to.equal(2);
      const left = file('left', '');
      expect((await run(['buy', '--yes', '--save-token', left])).exitCode).to.equal(0);
      expect(readFileSync(left, 'utf8')).to.equal(`${TOKEN}\n`);
    });
  });

  describe('watch', () => {
    it('prints a line for each change of verdict, and ends with the last one', async () => {
      const verdicts = ['OK', 'OK', 'CAUTION', 'CAUTION', 'VETO'];
      await start({ paid: (response) => answer(response, 'v2', { ...body, verdict: verdicts.shift() }) });
      const { exitCode, stdout } = await run(['watch', 'a', '--interval', '1', '--count', '5']);
      expect(exitCode).to.equal(20);
      expect(stdout.replaceAll(/^\S+ /gm, '')).to.equal('OK: fine\nCAUTION: fine\nVETO: fine\n');
      expect(server!.seen.paid).to.equal(5);
    });

    it('draws in place on a terminal', async () => {
      await start({});
      const { stdout } = await run(['watch', 'a', '--interval', '1', '--count', '3'], { isTerminal: true });
      const drawn = stdout.split(UP_AND_CLEAR);
      expect(drawn).to.have.length(5);
      for (const at of [1, 3]) expect(drawn[at - 1]!.split('\n').length - 1).to.equal(Number(drawn[at]));
      expect(drawn[4]).to.match(/asked 3 times, every 1 s/);
    });

    it('draws below what it had to say of an error, and not over it', async () => {
      let n = 0;
      await start({
        unpaid: (response) => ++n === 2 && answered(response, { error: 'busy', code: 'overloaded' }, 500),
      });
      const { stdout } = await run(['watch', 'a', '--interval', '1', '--count', '3'], { isTerminal: true });
      expect(stdout.split(UP_AND_CLEAR)).to.have.length(1);
    });

    it('never asks more often than once a second, whatever the service takes', async () => {
      const clock = new ManualClock(Date.now());
      const waits: number[] = [];
      const system = hurried(clock);
      await start({});
      const sleep = async (ms: number) => void waits.push(ms);
      await run(['watch', 'a', '--interval', '1', '--count', '4'], {
        system: { ...system, timers: { ...system.timers, sleep } },
      });
      expect(waits).to.deep.equal([1_000, 1_000, 1_000]);
    });

    it('never spends more than the daily cap, in dollars and in credits, also when it is started again', async () => {
      await start({});
      const dollars = ['watch', 'a', '--interval', '1', '--max-per-day', '0.06'];
      expect((await run(dollars)).exitCode).to.equal(3);
      expect((await run(dollars)).stderr).to.match(/daily_cap.*charged: nothing/s);
      expect(server!.seen.paid).to.equal(3);
      await server!.close();
      let credits = 0;
      const gone = { error: 'gone', code: 'unknown_market' };
      await start({
        unpaid: (response) => (++credits > 20 ? answered(response, gone, 400) : answered(response, body)),
      });
      const env = { PREFLIGHT_PRIVATE_KEY: undefined, PREFLIGHT_TOKEN: TOKEN, PREFLIGHT_HOME: join(dir, 'other') };
      const ofCredits = ['watch', 'a', '--interval', '1', '--max-per-day', '0.06'];
      expect((await run(ofCredits, { env })).exitCode).to.equal(3);
      expect((await run(ofCredits, { env })).exitCode).to.equal(3);
      expect(credits, 'a credit is counted as a cent').to.equal(6);
    });

    it('goes on when the service is away for a while, and ends when it says no', async () => {
      let n = 0;
      const away: Trick['unpaid'] = (response) => {
        n++;
        if (n === 2) return answered(response, { error: 'busy', code: 'overloaded' }, 500);
        return n === 4 && answered(response, { error: 'gone', code: 'unknown_market' }, 400);
      };
      await start({ unpaid: away });
      const { exitCode, stdout, stderr } = await run(['watch', 'a', '--interval', '1', '--count', '9']);
      expect([exitCode, stdout.split('\n').length]).to.deep.equal([1, 2]);
      expect(stderr).to.match(/busy.*gone/s);
      expect(server!.seen.paid).to.equal(2);
    });

    it('ends with the last verdict when somebody ends it', async () => {
      const ending = new AbortController();
      await start({});
      const system = hurried();
      const sleep = async () => ending.abort();
      const { exitCode } = await run(['watch', 'a'], {
        system: { ...system, timers: { ...system.timers, sleep } },
        signal: ending.signal,
      });
      expect(exitCode).to.equal(0);
    });
  });
});

function answered(response: Parameters<NonNullable<Trick['unpaid']>>[0], received: object, status = 200): true {
  response.writeHead(status);
  answer(response, 'v2', received);
  return true;
}

function redirected(response: Parameters<NonNullable<Trick['unpaid']>>[0]): void {
  response.writeHead(302, { location: 'https://elsewhere.example/' });
  response.end();
}
