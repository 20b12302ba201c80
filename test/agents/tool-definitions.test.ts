import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TOOL_TEXTS } from '#api/tool-texts';
import { ROOT } from '#test/support/source-tree';

const PAGE = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
const GOAL = 4.8;
const rows = [...PAGE.matchAll(/^\| `(\w+)` \| ([\d. |]+) \|$/gm)].map(([, tool, cells]) => {
  const numbers = cells!.split(' | ').map(Number);
  return { tool: tool!, scores: numbers.slice(0, -1), mean: numbers.at(-1)! };
});

describe('the definitions of the tools, by the notes on them', () => {
  it('are scored in six dimensions, each tool by itself, and add up', () => {
    expect(rows.map(({ tool }) => tool)).to.have.members(Object.keys(TOOL_TEXTS));
    for (const { tool, scores, mean } of rows) {
      expect(scores, tool).to.have.length(6);
      const sum = scores.reduce((all, score) => all + score, 0);
      expect(mean, tool).to.equal(Math.round((sum / 6) * 100) / 100);
      expect(mean, tool).to.be.at.least(GOAL);
    }
  });

  it('have what the notes say of them: a use, a sibling where it is not for that, a price, and so many words', () => {
    const [, least, most] = /(\d+) to (\d+) words each/.exec(PAGE)!.map(Number);
    for (const [tool, { description }] of Object.entries(TOOL_TEXTS)) {
      expect(description, tool).to.match(/^[A-Z][a-z]+s .*\. Use when .*\. Not (when|to) /);
      expect(description, tool).to.match(/Costs 0\.\d\d USDC by x402 or \d credits?|Free, (live, )?changes nothing/);
      expect(description.split(/\s+/).length, tool).to.be.within(least!, most!);
    }
  });
});
