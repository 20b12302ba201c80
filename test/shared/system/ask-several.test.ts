import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { askSeveral, HEDGE_AFTER_MS } from '#system/ask-several';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

/** Bounds all tries in these tests. */
const MAX_MS = 2_000;

describe('several endpoints that are asked one question', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let asked: string[];

  beforeEach(() => {
    clock = new ManualClock(0);
    timers = new ManualTimers(clock);
    asked = [];
  });

  /** What each endpoint says and after how long; null: nothing, ever. */
  type Endpoint = readonly [says: string, afterMs: number | null];

  async function ask(endpoints: readonly Endpoint[]): Promise<{ said: readonly string[]; atMs: number }> {
    let end: { said: readonly string[]; atMs: number } | null = null;
    void askSeveral({
      endpoints,
      ask: async ([says, afterMs]) => {
        asked.push(`${says} at ${clock.elapsedMs()}`);
        if (afterMs === null) return new Promise<string>(() => {});
        if (afterMs > 0) await timers.sleep(afterMs);
        return says;
      },
      isLast: (says) => says.startsWith('yes'),
      timers,
      answerMaxMs: MAX_MS,
    }).then((said) => {
      end = { said, atMs: clock.elapsedMs() };
    });
    for (;;) {
      await turn();
      if (end !== null) return end;
      timers.advance(timers.nextDueAtMs! - clock.elapsedMs());
    }
  }

  const table: readonly [what: string, endpoints: Endpoint[], asked: string[], said: string[], atMs: number][] = [
    [
      'hear the first alone where it answers',
      [
        ['yes 1', 50],
        ['yes 2', 50],
      ],
      ['yes 1 at 0'],
      ['yes 1'],
      50,
    ],
    [
      'go on at once after a failure',
      [
        ['no', 0],
        ['yes', 50],
      ],
      ['no at 0', 'yes at 0'],
      ['no', 'yes'],
      50,
    ],
    [
      'ask the next beside a silent one',
      [
        ['yes 1', null],
        ['yes 2', 50],
      ],
      ['yes 1 at 0', 'yes 2 at 400'],
      ['yes 2'],
      450,
    ],
    [
      'take the first word, whosever it is',
      [
        ['yes 1', 500],
        ['yes 2', 500],
      ],
      ['yes 1 at 0', 'yes 2 at 400'],
      ['yes 1'],
      500,
    ],
    [
      'wait for the other where one fails late',
      [
        ['no', 500],
        ['yes', 500],
      ],
      ['no at 0', 'yes at 400'],
      ['no', 'yes'],
      900,
    ],
    [
      'end when all have said no',
      [
        ['no 1', 10],
        ['no 2', 10],
      ],
      ['no 1 at 0', 'no 2 at 10'],
      ['no 1', 'no 2'],
      20,
    ],
    [
      'end by the time that all tries have together',
      [
        ['a', null],
        ['b', null],
      ],
      ['a at 0', 'b at 400'],
      [],
      MAX_MS,
    ],
    ['end at once where there are none', [], [], [], 0],
  ];
  for (const [what, endpoints, questions, said, atMs] of table) {
    it(what, async () => {
      expect(await ask(endpoints)).to.deep.equal({ said, atMs });
      expect(asked).to.deep.equal(questions);
      await turn();
      expect(timers.waiting, 'but for answers of their own').to.be.at.most(endpoints.length);
    });
  }

  it('are each asked once at most and in their order, and never waited for any longer', async () => {
    const delay = fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: 1, max: 3_000 }));
    const endpoint = fc.tuple(fc.constantFrom('yes', 'no'), delay);
    await fc.assert(
      fc.asyncProperty(fc.array(endpoint, { maxLength: 4 }), async (endpoints) => {
        clock = new ManualClock(0);
        timers = new ManualTimers(clock);
        asked = [];
        const numbered = endpoints.map(([says, afterMs], n): Endpoint => [`${says} ${n}`, afterMs]);
        const { said, atMs } = await ask(numbered);
        expect(atMs).to.be.at.most(MAX_MS);
        expect(asked.map((one) => one.split(' at ')[0])).to.deep.equal(
          numbered.slice(0, asked.length).map(([says]) => says),
        );
        const isYes = said.at(-1)?.startsWith('yes') === true;
        const quick = numbered.some(
          ([says, ms], n) => says.startsWith('yes') && ms !== null && ms + n * HEDGE_AFTER_MS < MAX_MS,
        );
        if (quick) expect(isYes, 'one that can be had is had').to.equal(true);
        expect(said.slice(0, -1).every((one) => one.startsWith('no'))).to.equal(true);
      }),
    );
  });
});
