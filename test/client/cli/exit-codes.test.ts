import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { CommanderError } from 'commander';
import { generatePrivateKey } from 'viem/accounts';
import { exitOfAnswer } from '#client/cli/exit-codes';
import { withoutSecrets } from '#client/cli/hide-secrets';
import { errorText, exitOfError } from '#client/cli/report-error';
import { UsageError } from '#client/cli/usage-error';
import { GuardrailRefused, NotPaid, OutcomeUnknown, ServiceProblem } from '#client/terms/errors';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { answer, startHostileServer } from '../support/hostile-server.js';

const MAIN = fileURLToPath(new URL('../../../src/client/cli/main.js', import.meta.url));

const fault = { rule: 'daily_cap', expected: 'at most 2.00 USD', found: '2.00 USD spent' } as const;
const nothing = { charged: 'nothing', next: 'Do this' } as const;

describe('exit codes', function () {
  this.timeout(PROCESS_TEST_MS);
  const answers: readonly [verdict: unknown, fresh: number, stale: number, example: number][] = [
    ['OK', 0, 10, 10],
    ['COPY', 0, 10, 10],
    ['CAUTION', 10, 10, 10],
    ['WATCH', 10, 10, 10],
    ['VETO', 20, 20, 20],
    ['QUEUED', 30, 30, 30],
    ['NO_COVERAGE', 30, 30, 30],
    // What is no verdict is a failure, and never a go-ahead.
    ['ok', 1, 1, 1],
    ['OK ', 1, 1, 1],
    [undefined, 1, 1, 1],
    [0, 1, 1, 1],
    ['constructor', 1, 1, 1],
  ];
  for (const [verdict, fresh, stale, example] of answers) {
    it(`of ${verdict} are ${fresh}, of a stale one ${stale}, of an example ${example}`, () => {
      expect(exitOfAnswer({ body: { verdict }, stale: false })).to.equal(fresh);
      expect(exitOfAnswer({ body: { verdict }, stale: true })).to.equal(stale);
      expect(exitOfAnswer({ body: { verdict, sandbox: true }, stale: false })).to.equal(example);
    });
  }

  it('are 1 where a full disk does not take the answer, and as ever where its reader has gone', async function () {
    if (!existsSync('/dev/full')) skipLoudly(this, 'there is no /dev/full');
    const env = { PATH: process.env.PATH };
    const run = (script: string) =>
      runProgram('bash', ['--norc', '-c', script, process.execPath, ...SHORT_LIVED, MAIN, 'completion', 'bash'], {
        env,
      });
    const full = await run('"$0" "$@" > /dev/full');
    expect([full.exitCode, full.stderr]).to.deep.equal([1, 'preflight: standard output cannot be written (ENOSPC)\n']);
    const gone = await run('set -o pipefail; "$0" "$@" | true');
    expect([gone.exitCode, gone.stderr]).to.deep.equal([0, '']);
  });

  it('of a watch whose output reaches no one come after the answer that shows it: nothing more is bought', async function () {
    if (!existsSync('/dev/full')) skipLoudly(this, 'there is no /dev/full');
    const body = { ok: true, verdict: 'CAUTION', reasons: ['thin'], market: { slug: 'a' } };
    const server = await startHostileServer({ paid: (response) => answer(response, 'v2', body) }, 'v2');
    const env = {
      PATH: process.env.PATH,
      PREFLIGHT_URL: server.url,
      PREFLIGHT_HOME: tempFolder('watch'),
      PREFLIGHT_PRIVATE_KEY: generatePrivateKey(),
    };
    const watch = ['watch', 'a', '--interval', '1', '--count', '6', '--json'];
    try {
      const run = (script: string) =>
        runProgram('bash', ['--norc', '-c', script, process.execPath, ...SHORT_LIVED, MAIN, ...watch], { env });
      const gone = await run('set -o pipefail; "$0" "$@" | head -1');
      expect([gone.exitCode, gone.stderr, JSON.parse(gone.stdout).verdict]).to.deep.equal([10, '', 'CAUTION']);
      // The second answer is the first that cannot be written.
      expect(server.seen.paid).to.be.at.most(2);
      const before = server.seen.paid;
      const full = await run('"$0" "$@" > /dev/full');
      expect([full.exitCode, full.stderr]).to.deep.equal([
        10,
        'preflight: standard output cannot be written (ENOSPC)\n',
      ]);
      expect(server.seen.paid - before).to.equal(1);
    } finally {
      await server.close();
    }
  });

  it('of a pack whose token reaches no one are 1, and the same command gets it for the same payment', async function () {
    if (!existsSync('/dev/full')) skipLoudly(this, 'there is no /dev/full');
    const token = `tk_0x${'1'.repeat(40)}_secret`;
    const server = await startHostileServer({ paid: (response) => answer(response, 'v2', { ok: true, token }) }, 'v2');
    const env = {
      PATH: process.env.PATH,
      PREFLIGHT_URL: server.url,
      PREFLIGHT_HOME: tempFolder('buy'),
      PREFLIGHT_PRIVATE_KEY: generatePrivateKey(),
    };
    const buy = ['buy', '--yes', '--json'];
    try {
      const run = (script: string) =>
        runProgram('bash', ['--norc', '-c', script, process.execPath, ...SHORT_LIVED, MAIN, ...buy], { env });
      for (const script of ['"$0" "$@" > /dev/full', 'set -o pipefail; "$0" "$@" | true']) {
        const lost = await run(script);
        expect([lost.exitCode, lost.stdout]).to.deep.equal([1, '']);
        expect(lost.stderr).to.match(
          /could not be printed \((ENOSPC|EPIPE)\)\n {2}charged: the price.*same call again/s,
        );
      }
      const { exitCode, stdout } = await run('"$0" "$@"');
      expect([exitCode, JSON.parse(stdout)]).to.deep.equal([0, { ok: true, token }]);
      expect(server.seen).to.include({ demands: 1, paid: 3 });
    } finally {
      await server.close();
    }
  });

  it('of what is no answer at all are 1', () => {
    for (const body of [null, 'OK', [{ verdict: 'OK' }], 1]) expect(exitOfAnswer({ body, stale: false })).to.equal(1);
  });

  const errors: readonly [what: string, error: unknown, code: number][] = [
    ['help', new CommanderError(0, 'commander.helpDisplayed', ''), 0],
    ['an option that is not known', new CommanderError(1, 'commander.unknownOption', ''), 2],
    ['a usage error', new UsageError('name it'), 2],
    ['a rule', new GuardrailRefused(fault), 3],
    ['a rule after the payment was sent', new GuardrailRefused(fault, { charged: 'unknown' }), 4],
    ['an outcome that is not known', new OutcomeUnknown('ab12', 'no answer came'), 4],
    ['a refused payment', new NotPaid('refused', nothing), 1],
    ['a no of the service', new ServiceProblem('no', { ...nothing, code: 'unknown_market', status: 400 }), 1],
    ['anything else', new Error('broken'), 1],
    ['no error at all', 'broken', 1],
  ];
  for (const [what, error, code] of errors) {
    it(`of ${what} is ${code}`, () => expect(exitOfError(error)).to.equal(code));
  }
});

describe('what is told of an error', () => {
  it('is what went wrong, what was charged, and what to do next', () => {
    expect(errorText(new GuardrailRefused(fault, { next: 'Wait' }))).to.equal(
      'preflight: refused by daily_cap: expected at most 2.00 USD, found 2.00 USD spent\n' +
        '  charged: nothing\n  next: Wait\n' +
        '  only if you know why: --max-per-day USD (calls) or --max-packs-per-day N (credit packs)\n',
    );
    expect(errorText(new OutcomeUnknown('ab12', 'no answer came'))).to.equal(
      'preflight: no answer came\n  charged: not known yet, and at most once\n' +
        '  next: Make the same call again: it resumes purchase ab12 with the same payment and is charged at most once\n',
    );
  });

  it('names what would have been accepted, as far as it fits', () => {
    const candidates = Array.from({ length: 12 }, (_, n) => `Candidate ${n}`);
    const text = errorText(
      new ServiceProblem('choose', { ...nothing, code: 'outcome_required', status: 400, candidates }),
    );
    expect(text).to.include('one of: Candidate 9\n  and 2 more\n').and.to.not.include('Candidate 10');
  });

  it('has nothing of a server in it that acts on a terminal, and no secret whatever it says', () => {
    const key = 'c0'.repeat(32);
    const text = errorText(new Error(`\u001b[2J 0x${key} ${key} tk_0x${'1'.repeat(40)}_secret \u202e`));
    expect(text).to.equal('preflight: \ufffd[2J [hidden] [hidden] [hidden] \ufffd\n');
  });

  it('has the name of an unfinished purchase in it, and nothing else of the form of a key', () => {
    const key = 'c0'.repeat(32);
    const path = `/a/open/${key}.json`;
    expect(withoutSecrets(`remove ${path}, then`)).to.equal(`remove ${path}, then`);
    expect(withoutSecrets(`C:\\a\\open\\${key}.json`)).to.include(key);
    const others = [
      `/a/${key}.json`,
      `/a/reopen/${key}.json`,
      `open ${key}.json`,
      `/a/open/${key}`,
      `/a/open/${key}.jsonl`,
      `/a/open/0x${key}.json`,
      `/a/open/${key.toUpperCase()}.json`,
      `/a/open/${key}0.json`,
      `/a/open/${key}.json ${key}`.replace(path, ''),
    ];
    for (const text of others) expect(withoutSecrets(text), text).to.include('[hidden]').and.to.not.include(key);
  });
});
