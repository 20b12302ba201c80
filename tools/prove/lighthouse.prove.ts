import { expect } from 'chai';
import { CHROMIUM, hasSandbox, needChromium } from '#test/page/support/chromium';
import { type LocalProcess, startLocalProcess } from '#test/support/local-process';
import { skipLoudly } from '#test/support/skipped';
import { askLighthouse, CATEGORIES, installLighthouse } from './support/lighthouse.js';

const SCORE_MIN = 95;
const FLAGS = ['--headless=new', ...(hasSandbox ? [] : ['--no-sandbox'])];

describe('what Lighthouse says of', () => {
  let local: LocalProcess;

  before(async function () {
    needChromium(this);
    const why = await installLighthouse();
    if (why !== null) skipLoudly(this, why);
    local = await startLocalProcess();
  });
  after(() => local?.end('SIGKILL'));

  for (const path of ['/', '/docs', '/status']) {
    it(path, async () => {
      const { scores, faults } = await askLighthouse(local.facts.url + path, CHROMIUM, FLAGS);
      console.log(`${path}: ${CATEGORIES.map((name) => `${name} ${scores[name]}`).join(', ')}`);
      for (const name of CATEGORIES) expect(scores[name], `${name}: ${faults.join('; ')}`).to.be.at.least(SCORE_MIN);
    });
  }
});
