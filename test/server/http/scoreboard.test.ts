import { expect } from 'chai';
import { toFollowUp } from '#services/scoreboard/follow-report';
import { toScoreboard } from '#services/scoreboard/report';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { scoreDay } from '#test/support/sample-scores';
import { type Door, openDoor } from './support/door.js';

const DAY = '2026-11-26';
const span = { isOn: true, from: DAY, to: DAY, series: [] };
const followUp = toFollowUp([followedBoard(), followedBoard({ result: followResult() })]);
const TEXT = JSON.stringify(toScoreboard(scoreDay(DAY, 100), { ...span, followUp }));
const DAY_TEXT = JSON.stringify(toScoreboard(scoreDay(DAY, 100), span));

describe('GET /scoreboard.json', () => {
  let door: Door;

  before(async () => {
    const scoreboard = { text: () => TEXT, textOf: async (day: string) => (day === DAY ? DAY_TEXT : null) };
    door = await openDoor({ deps: { scoreboard } });
  });
  after(() => door.stop());

  it('is free, and may be kept for half a minute', async () => {
    const answer = await fetch(`${door.url}/scoreboard.json`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=30');
    expect(await answer.text()).to.equal(TEXT);
  });

  it('shows a single day that is asked for', async () => {
    const answer = await fetch(`${door.url}/scoreboard.json?day=${DAY}`);
    expect([answer.status, await answer.text()]).to.deep.equal([200, DAY_TEXT]);
  });

  for (const [day, status, error] of [
    ['yesterday', 400, 'invalid_parameter'],
    ['2026-02-30', 400, 'invalid_parameter'],
    ['2026-01-01', 404, 'not_found'],
  ] as const) {
    it(`says no to day=${day}`, async () => {
      const answer = await fetch(`${door.url}/scoreboard.json?day=${day}`);
      const { code } = (await answer.json()) as { readonly code: string };
      expect([answer.status, code]).to.deep.equal([status, error]);
    });
  }
});
