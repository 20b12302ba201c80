import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '#test/support/run-program';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

/** More is a design that has grown; it is to be seen when it does. */
const FILES_MAX = 75;
const SINGLE_FUNCTION_MAX = 10;

interface Recorded {
  readonly answer: { readonly status: string };
}

describe('the recordings of all doors', function () {
  this.timeout(0);
  const folder = tempFolder('recordings');
  const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')];

  it('are equal, if nothing has changed between the two', async () => {
    const begun = await golden('--out', first);
    expect(begun.exitCode, begun.stderr).to.equal(0);
    const compared = await golden('--out', second, '--against', first);
    expect(compared.stdout).to.include('identical: ');
    expect(compared.exitCode).to.equal(0);
  });

  it('hold calls that were paid for, and a credit pack', () => {
    const recorded = JSON.parse(readFileSync(first, 'utf8')) as Readonly<Record<string, Recorded>>;
    const names = ['paid by v1', 'paid by v2', 'paid, and the answer lost', 'pack', 'paid for skilled'];
    const statuses = names.map((name) => recorded[name]?.answer.status);
    expect(statuses).to.deep.equal(names.map(() => 'HTTP/1.1 200 OK'));
  });

  it(`count at most ${FILES_MAX} files that an order passes, ${SINGLE_FUNCTION_MAX} with a single function`, async () => {
    const { stdout, stderr } = await runTool('order-path');
    const counted = /passes (\d+) files; (\d+) of them/.exec(stdout);
    expect(counted, stderr).not.to.equal(null);
    expect(Number(counted![1])).to.be.within(1, FILES_MAX);
    expect(Number(counted![2])).to.be.at.most(SINGLE_FUNCTION_MAX);
  });
});

function golden(...args: readonly string[]) {
  return runTool('golden', '--checkout', ROOT, ...args);
}

/** Runs a tool of this checkout as `CONTRIBUTING.md` names it. */
function runTool(name: string, ...args: readonly string[]) {
  return runProgram(process.execPath, [join(ROOT, 'dist/tools', name, 'main.js'), ...args], { cwd: ROOT });
}
