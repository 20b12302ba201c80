import { expect } from 'chai';
import { DOCS_PATHS } from '#api/docs-paths';
import { type LiveFacts, PAGE_PATHS } from '#api/pages';
import { openPages } from '#compose/pages';
import { docsPages } from '#discovery/docs/docs-pages';
import type { Pages } from '#http/routes/page.routes';
import { toFollowUp } from '#services/scoreboard/follow-report';
import { toScoreboard } from '#services/scoreboard/report';
import { STATUS, TERMS } from '#test/server/http/support/door';
import { CONFIG } from '#test/support/discovery';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { scoreDay } from '#test/support/sample-scores';

const DAY = '2026-11-27';

describe('the pages that are built', () => {
  let pages: Pages;

  before(async () => {
    pages = await openPages({ ...TERMS, supportEmail: CONFIG.supportEmail, docs: (sdk) => docsPages(CONFIG, sdk) });
  });

  it('are all there', () => {
    expect(pages.documents.map(({ path }) => path)).to.have.members([
      ...new Set([...Object.values(PAGE_PATHS), ...DOCS_PATHS]),
    ]);
  });

  it('hold nothing that their policy forbids', () => {
    const forbidden = pages.documents.flatMap(({ path, html }) =>
      [/<style/, /\sstyle="/, /\son\w+="/, /<script(?![^>]*\s(?:src|type="application\/json"))/, /(?:src|href)="http/]
        .filter((pattern) => pattern.test(html))
        .map((pattern) => `${path}: ${pattern}`),
    );
    expect(forbidden).to.deep.equal([]);
  });

  it('read, where they are made at each request, only what they tell', async () => {
    const read: string[] = [];
    const reading = <Fact>(name: string, fact: Fact) => {
      read.push(name);
      return fact;
    };
    let followUp = toFollowUp([followedBoard()]);
    const live: LiveFacts = {
      report: async () => reading('report', STATUS),
      history: () => reading('history', { every_seconds: 60, hours: 24, samples: [] }),
      scoreboard: () =>
        reading('scoreboard', toScoreboard(scoreDay(DAY, 9), { isOn: true, from: DAY, to: DAY, series: [], followUp })),
    };
    const made = async (path: string) => pages.documents.find((page) => page.path === path)?.at?.(live);
    expect(await made('/scoreboard')).to.include(`${DAY} to ${DAY}: 9 draws`);
    expect(read.splice(0)).to.deep.equal(['scoreboard']);
    expect(await made('/scoreboard')).to.include('No board is old enough yet.');
    followUp = toFollowUp([followedBoard({ result: followResult() })]);
    expect(await made('/scoreboard'))
      .to.include('−4.2% (−20.0% to +11.6%)')
      .and.not.include('No board is old enough yet.');
    expect(read.splice(0)).to.deep.equal(['scoreboard', 'scoreboard']);
    expect(await made('/status')).to.include('id="status"');
    expect(read).to.have.members(['report', 'history']);
  });

  it('load only files that are served', () => {
    const served = pages.assets.map(({ path }) => path);
    const loaded = pages.documents.flatMap(({ html }) => html.match(/\/assets\/[^"]+/g) ?? []);
    expect(served).to.include.members(loaded);
    expect(loaded.length).to.be.at.least(2 * pages.documents.length);
  });
});
