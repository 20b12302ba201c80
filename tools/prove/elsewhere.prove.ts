import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';

const CHILD = fileURLToPath(new URL('./support/evidence-child.js', import.meta.url));
const ANSWERS = 500;
const SEED = 11;
/** Paths of other versions of Node, with a colon between. */
const OTHERS = (process.env.OTHER_NODES ?? '').split(':').filter((path) => path !== '');

describe('evidence that was made elsewhere', function () {
  this.timeout(0);
  const folder = tempFolder('elsewhere');
  const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

  it('holds whichever version of Node made it, and whichever verifies it', function () {
    if (OTHERS.length === 0) {
      skipLoudly(this, 'there is one version of Node: name others in OTHER_NODES=/path/to/node:/path/to/node');
    }
    const nodes = [process.execPath, ...OTHERS];
    for (const maker of nodes) {
      const file = join(folder, `${nodes.indexOf(maker)}.json`);
      execFileSync(maker, [CHILD, 'make', file, String(ANSWERS), String(SEED)]);
      for (const verifier of nodes) {
        const received = JSON.parse(execFileSync(verifier, [CHILD, 'verify', file], { encoding: 'utf8' }));
        const [madeBy, verifiedBy] = [versionOf(maker), versionOf(verifier)];
        expect(received).to.deep.equal({ madeBy, verifiedBy, good: ANSWERS });
        console.log(`      made by ${madeBy}, verified by ${verifiedBy}: ${ANSWERS} of ${ANSWERS} hold`);
      }
    }
  });
});
