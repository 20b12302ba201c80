import { expect } from 'chai';
import {
  TRADE_PING_INTERVAL_MS,
  TRADE_SILENCE_MS,
  type TradeHint,
  type TradeSignal,
  tradeHints$,
  tradeSocket$,
} from '#streams/trade-hints';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { rowV1, tradeNumber } from '#test/support/trade-rows';
import { inVirtualTime, testScheduler } from '#test/support/virtual-time';
import { RTDS_SUBSCRIBE } from '#wire/polymarket/rtds';

const TIME_S = 1_780_000_000;
const frameOf = (n: number) =>
  JSON.stringify({ topic: 'activity', type: 'trades', payload: rowV1(tradeNumber(n, TIME_S + n)) });

describe('tradeSocket$', () => {
  it('subscribes when it is open, tells trades, counts what it cannot read, and ends when it is closed', () => {
    const feed = new FakeTextSockets();
    const signals: TradeSignal[] = [];
    let completed = false;
    tradeSocket$(feed.connect).subscribe({ next: (one) => signals.push(one), complete: () => (completed = true) });
    expect(feed.last.sent).to.deep.equal([]);
    feed.last.handlers.onOpen();
    expect(feed.last.sent).to.deep.equal([RTDS_SUBSCRIBE]);
    for (const text of ['', 'PONG', frameOf(1), '{', '{"topic":"comments"}'])
      feed.last.handlers.onText(Buffer.from(text));
    feed.last.handlers.onClose('code 1006');
    expect(signals).to.deep.equal([
      { kind: 'opened' },
      { kind: 'trade', fill: tradeNumber(1, TIME_S + 1) },
      { kind: 'unreadable' },
      { kind: 'closed', reason: 'code 1006' },
    ]);
    expect(completed).to.equal(true);
  });

  it('says PING every five seconds for as long as trades come', () =>
    inVirtualTime((_, test) => {
      const feed = new FakeTextSockets();
      const subscription = tradeSocket$(feed.connect, test).subscribe();
      for (let n = 1; n <= 3; n++) {
        test.schedule(() => feed.last.handlers.onText(Buffer.from(frameOf(n))), n * 2 * TRADE_PING_INTERVAL_MS);
      }
      test.schedule(() => subscription.unsubscribe(), 8 * TRADE_PING_INTERVAL_MS + 1);
      test.flush();
      expect(feed.last.sent).to.deep.equal(Array(8).fill('PING'));
      expect(feed.last.isClosed).to.equal(true);
    }));

  it('calls a feed dead that answers PING for half a minute and brings no trade', () =>
    inVirtualTime((_, test) => {
      const feed = new FakeTextSockets();
      let closedAtMs = 0;
      tradeSocket$(feed.connect, test).subscribe(({ kind }) => {
        if (kind === 'closed') closedAtMs = test.now();
      });
      for (let ms = 1_000; ms < 60_000; ms += 1_000)
        test.schedule(() => feed.last.handlers.onText(Buffer.from('PONG')), ms);
      test.flush();
      expect(closedAtMs).to.be.within(TRADE_SILENCE_MS, TRADE_SILENCE_MS + TRADE_PING_INTERVAL_MS);
      expect(feed.last.isClosed).to.equal(true);
    }));
});

describe('tradeHints$', () => {
  /**
   * Runs the feed in virtual time: t trade (numbered by its place), c closed by the venue, p
   * nothing. One letter is 1 s.
   */
  function receive(
    diagram: string,
    namedMax = 100,
  ): { readonly received: [number, TradeHint][]; readonly connections: number } {
    const test = testScheduler();
    const received: [number, TradeHint][] = [];
    let connections = 0;
    test.run(() => {
      const feed = new FakeTextSockets();
      const options = {
        intervalMs: 2_000,
        namedMax,
        backoffMs: (attempt: number) => 1_000 * 2 ** attempt,
        scheduler: test,
      };
      const subscription = tradeHints$(feed.connect, options).subscribe((hint) =>
        received.push([test.now() / 1_000, hint]),
      );
      for (const [n, letter] of [...diagram].entries()) {
        test.schedule(() => {
          if (letter === 't') feed.last.handlers.onText(Buffer.from(frameOf(n)));
          if (letter === 'c') feed.last.handlers.onClose('gone');
        }, n * 1_000);
      }
      test.schedule(() => subscription.unsubscribe(), diagram.length * 1_000);
      test.flush();
      connections = feed.ends.length;
      expect(feed.last.isClosed).to.equal(true);
    });
    return { received, connections };
  }
  const shortly = ({ received }: ReturnType<typeof receive>) =>
    received.map(([atS, hint]) => `${atS}: ${textOf(hint)}`);
  function textOf(hint: TradeHint): string {
    if (hint.kind === 'lost') return `lost: ${hint.reason}`;
    if (hint.kind === 'gap') return `away for ${hint.awayMs / 1_000}: ${hint.reason}`;
    return `${hint.trades} ${hint.fromS - TIME_S}-${hint.toS - TIME_S}`;
  }

  it('gathers trades and tells them once per period', () => {
    const { received } = receive('ttt---t---');
    expect(shortly({ received, connections: 1 })).to.deep.equal(['2: 3 0-2', '8: 1 6-6']);
    expect(received[0]?.[1]).to.deep.include({
      conditions: [0, 1, 2].map((n) => tradeNumber(n, 0).condition),
      wallets: [0, 1, 2].map((n) => tradeNumber(n, 0).wallet),
      incomplete: false,
    });
  });

  it('says nothing while nothing happens', () => {
    expect(shortly(receive('---------------'))).to.deep.equal([]);
  });

  it('connects again after a wait that doubles, tells each loss, and the gap when trades come again', () => {
    const { received, connections } = receive('t-c--c----c-----t----');
    expect(shortly({ received, connections })).to.deep.equal([
      '2: lost: gone',
      '2: 1 0-0',
      '5: lost: gone',
      '10: lost: gone',
      '16: away for 14: gone',
      '18: 1 16-16',
    ]);
    expect(connections).to.equal(4);
  });

  it('begins with short waits again once trades came', () => {
    expect(receive('c-c--c----t-c-t-c-t').connections).to.equal(6);
  });

  it('names no more than it may, and counts the rest', () => {
    const [[, hint]] = receive('ttttttttt', 2).received.slice(0, 1) as [[number, TradeHint]];
    expect(hint).to.deep.include({ kind: 'traded', trades: 3, incomplete: true });
    expect(hint.kind === 'traded' && [hint.conditions.length, hint.wallets.length]).to.deep.equal([2, 2]);
  });

  it('holds no timers of the past', () =>
    inVirtualTime((_, test) => {
      const feed = new FakeTextSockets();
      const subscription = tradeHints$(feed.connect, {
        intervalMs: 10,
        backoffMs: () => 10,
        scheduler: test,
      }).subscribe();
      for (let n = 0; n < 200; n++) {
        test.schedule(() => feed.last.handlers.onText(Buffer.from(frameOf(n))), n * 20);
        test.schedule(() => feed.last.handlers.onClose('gone'), n * 20 + 5);
      }
      test.schedule(() => {
        const held = (subscription as unknown as { _finalizers: unknown[] | null })._finalizers?.length ?? 0;
        expect(held).to.be.below(10);
        subscription.unsubscribe();
      }, 4_010);
      test.flush();
      expect(feed.ends.length).to.be.above(100);
    }));
});
