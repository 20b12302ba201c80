import { expect } from 'chai';
import { DEMO_EVENTS, type DemoEventData } from '#api/demo/demo-events';
import { type DemoMarkets, DemoMarketsSchema } from '#api/demo/demo-markets';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { crossedBook, Ladder } from '#domain/book/ladder';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { assess } from '#judge/assess';
import { toNumbersBody } from '#judge/verdict-body';
import { Demo, type StreamReader } from '#services/demo/demo';
import { DemoSet } from '#services/demo/demo-set';
import { type LiveVerdicts, startLiveVerdicts, until } from '#test/support/live-verdicts';

const SLUG = 'will-arcadia-call-a-snap-election-by-december-31';
const QUIET = 'will-the-long-tide-win-best-picture';
type Event = { readonly name: string; readonly data: DemoEventData<'book'> & DemoEventData<'stale'> };

/** A reader that keeps what it is sent. */
class Reader implements StreamReader {
  readonly texts: string[] = [];
  busy = false;
  ended = false;
  isReady(): boolean {
    return !this.busy;
  }
  send(bytes: Buffer): void {
    this.texts.push(bytes.toString());
  }
  end(): void {
    this.ended = true;
  }
  get events(): readonly Event[] {
    return this.texts.flatMap((text) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
      return name === undefined ? [] : [{ name, data: JSON.parse(data!) }];
    });
  }
  last(name: string): Event['data'] | undefined {
    return this.events.findLast((event) => event.name === name)?.data;
  }
}

/**
 * What a page does with a market and a book: the engine of the service, and no arithmetic beside
 * it.
 */
function judge(
  market: DemoMarkets['markets'][number],
  { book, market_status: status }: Pick<DemoEventData<'book'>, 'book' | 'market_status'>,
  { side, usd }: { readonly side: 'BUY' | 'SELL'; readonly usd: number },
) {
  const ladderOf = (kind: 'bids' | 'asks') => {
    const ladder = new Ladder(kind);
    ladder.replace(
      book[kind].map(([price, size]) => ({ priceTicks: parsePriceTicks(price)!, sizeMicros: parseSizeMicros(size)! })),
    );
    return ladder;
  };
  const [bids, asks] = [ladderOf('bids'), ladderOf('asks')];
  return assess({
    side,
    usd,
    thresholds: {
      slippageCautionCents: market.thresholds.slippage_caution_cents,
      slippageVetoCents: market.thresholds.slippage_veto_cents,
      depthCautionFraction: market.thresholds.depth_caution_fraction,
      bookStaleVetoS: market.thresholds.book_stale_veto_seconds,
    },
    market: {
      fee: market.fee,
      minOrderShares: market.min_order_shares,
      status: {
        active: status.active,
        closed: status.closed,
        acceptingOrders: status.accepting_orders,
        orderBookEnabled: status.order_book_enabled,
        umaResolutionStatus: status.uma_resolution_status,
      },
    },
    book: { bids, asks, listed: book.listed, crossed: crossedBook(bids, asks) },
    bookAgeMs: book.confirmed_age_ms,
  });
}

describe('the demo lane', () => {
  let live: LiveVerdicts;
  let demo: Demo;
  const closes: (() => void)[] = [];
  const lines: object[] = [];
  let looks = 0;

  const demoOf = (...slugs: string[]) => {
    const log = { warn: (facts: object) => void lines.push(facts), error: (facts: object) => void lines.push(facts) };
    const set = new DemoSet({ slugs, markets: live.markets, stopwatch: live.clock, log });
    const watchBook: typeof live.books.watch = (...of) => {
      looks++;
      return live.books.watch(...of);
    };
    return new Demo({ set, books: { watch: watchBook }, clock: live.clock, log });
  };
  const tokenOf = (slug: string) => live.market(slug).outcomes[0]!.tokenId;
  async function watch(slug = SLUG, reader = new Reader()): Promise<Reader> {
    const open = await demo.find(tokenOf(slug));
    closes.push(open!(reader));
    return reader;
  }
  const markets = async (of = demo) => DemoMarketsSchema.parse(JSON.parse(await of.marketsText()));

  beforeEach(async () => {
    live = await startLiveVerdicts();
    demo = demoOf(SLUG, QUIET);
  });
  afterEach(async () => {
    for (const close of closes.splice(0)) close();
    lines.length = 0;
    await live.stop();
  });

  it('shows books on which the engine says what the service says, to the digit, while they move', async () => {
    const reader = await watch();
    await until('a book comes', () => reader.last('book') !== undefined);
    const [market] = (await markets()).markets;
    for (let step = 0; step < 5; step++) {
      const shown = reader.last('book')!.book;
      live.venue.step(3);
      await until('it moves', () => {
        const { book } = reader.last('book')!;
        return JSON.stringify([book.bids, book.asks]) !== JSON.stringify([shown.bids, shown.asks]);
      });
      const order = { side: step % 2 === 0 ? 'BUY' : 'SELL', usd: 10 ** step } as const;
      const { verdict, numbers, reasons } = await live.judge({ slug: SLUG, ...order });
      const event = reader.last('book')!;
      DEMO_EVENTS.book.parse(event);
      const own = judge(market!, event, order);
      const { book_age_seconds: _age, ...same } = toNumbersBody(own.facts.numbers);
      expect({ verdict, reasons: reasons.length, ...numbers }).to.deep.include({
        verdict: own.verdict,
        reasons: own.reasons.length,
        ...same,
      });
    }
  });

  it('is stale by itself when the venue stands still, and fresh again when it heals', async () => {
    const reader = await watch();
    await until('a book comes', () => reader.last('book') !== undefined);
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    live.clock.skip(59_000);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(reader.last('stale')).to.equal(undefined);
    live.clock.skip(2_000);
    await until('it is stale', () => reader.last('stale') !== undefined);
    const { age_ms: ageMs, limit_ms: limitMs } = DEMO_EVENTS.stale.parse(reader.last('stale'));
    expect(limitMs).to.equal(60_000);
    expect(ageMs).to.be.above(60_000);
    expect((await live.judge({ slug: SLUG, usd: 100 })).verdict, 'as the service').to.equal('VETO');
    const late = await watch();
    await until('who comes late hears it too', () => late.events.length === 2);
    expect(late.events.map(({ name }) => name)).to.deep.equal(['book', 'stale']);
    live.venue.faults.clear();
    await until('it is fresh', () => reader.events.at(-1)!.name === 'book');
    expect(reader.last('book')!.book.confirmed_age_ms).to.be.below(10_000);
    expect(reader.events.filter(({ name }) => name === 'stale')).to.have.length(1);
  });

  it('says that there is no book where none can be had', async () => {
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    const reader = await watch();
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(reader.events).to.deep.equal([]);
    live.clock.skip(3_100);
    await until('it says so', () => reader.last('stale') !== undefined);
    expect(reader.last('stale')!.age_ms).to.equal(null);
  });

  it('ends with `closed` when the market closes, and tells browsers to come back later', async () => {
    const reader = await watch();
    await until('a book comes', () => reader.last('book') !== undefined);
    live.venue.faults.resolveMarket(SLUG);
    await until('it has ended', () => {
      live.clock.skip(1_000);
      return reader.ended;
    });
    expect(reader.events.at(-1)!.name).to.equal('closed');
    expect(DEMO_EVENTS.closed.parse(reader.last('closed')).market_status.closed).to.equal(true);
    expect(reader.texts.at(-1)).to.equal('retry: 60000\n\n');
  });

  it('counts up, for all readers together, and shows what is told of one look to all of them', async () => {
    const [one, two] = [await watch(), await watch()];
    for (let step = 0; step < 3; step++) {
      const before = one.events.length;
      live.venue.step(3);
      await until('both have it', () => one.events.length > before && two.events.length > before);
    }
    for (const { events } of [one, two]) {
      const sequences = events.map(({ data }) => data.sequence);
      expect(sequences).to.deep.equal([...new Set(sequences)].toSorted((a, b) => a - b));
    }
    expect(two.texts.slice(-2)).to.deep.equal(one.texts.slice(-2));
    expect(live.books.report().held).to.equal(1);
  });

  it('tells a slow reader the newest book alone', async () => {
    const reader = await watch();
    const other = await watch();
    await until('a book comes', () => reader.last('book') !== undefined);
    reader.busy = true;
    const sent = reader.texts.length;
    for (let step = 0; step < 3; step++) {
      const before = other.events.length;
      live.venue.step(3);
      await until('the other one has it', () => other.events.length > before);
    }
    expect(reader.texts).to.have.length(sent);
    reader.busy = false;
    await until('it has it', () => reader.texts.length > sent);
    expect(reader.texts).to.have.length(sent + 1);
    const { bids, asks } = reader.last('book')!.book;
    expect({ bids, asks }).to.deep.equal({ bids: other.last('book')!.book.bids, asks: other.last('book')!.book.asks });
    expect(reader.last('book')!.sequence).to.be.above(other.last('book')!.sequence);
  });

  it('looks at no book while nobody watches', async () => {
    const reader = await watch();
    await until('a book comes', () => reader.last('book') !== undefined);
    for (const close of closes.splice(0)) close();
    const before = { looks, received: reader.texts.length };
    live.venue.step(3);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect({ looks, received: reader.texts.length }).to.deep.equal(before);
    await watch(SLUG, reader);
    await until('it is shown again', () => reader.texts.length > before.received + 1);
    expect(looks).to.be.above(before.looks);
  });

  it('has an example, of which it says so, where no market is named', async () => {
    const { example, markets: none, example_market: shown } = await markets(demoOf());
    expect({ example, none }).to.deep.equal({ example: true, none: [] });
    const { market, book } = shown!;
    const { verdict, reasons, facts } = judge(
      market,
      { book, market_status: market.status },
      ORDER_VERDICT_EXAMPLE.order,
    );
    expect({ verdict, reasons, numbers: toNumbersBody(facts.numbers) }).to.deep.equal({
      verdict: ORDER_VERDICT_EXAMPLE.verdict,
      reasons: ORDER_VERDICT_EXAMPLE.reasons,
      numbers: ORDER_VERDICT_EXAMPLE.numbers,
    });
    expect(shown).to.deep.equal(DEMO_EXAMPLE);
  });

  it('leaves out a market that is not there, with one line in the log, and knows no token outside its set', async () => {
    const own = demoOf('no-such-market', SLUG);
    for (let look = 0; look < 3; look++) {
      expect((await markets(own)).markets.map(({ slug }) => slug)).to.deep.equal([SLUG]);
      live.clock.skip(31_000);
    }
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ slug: 'no-such-market' });
    expect(await own.find(tokenOf(QUIET))).to.equal(null);
    expect(await own.find('7')).to.equal(null);
  });

  it('shows a market whose outcomes are names, and no event of several markets', async () => {
    const own = demoOf('mlb-hbr-rvt-2026-07-18', 'arcadia-presidential-election-winner');
    const { markets: shown } = await markets(own);
    expect(shown.map(({ slug }) => slug)).to.deep.equal(['mlb-hbr-rvt-2026-07-18']);
    expect(shown[0]!.outcomes.map(({ label }) => label)).to.deep.equal(['Harbor City Herons', 'Riverton Royals']);
    expect(lines).to.have.length(1);
  });

  it('has the same list for as long as it knows nothing else, also while the catalog is down', async () => {
    const text = await demo.marketsText();
    live.venue.faults.restDown('gamma');
    live.clock.skip(120_000);
    for (let look = 0; look < 3; look++) {
      expect(await demo.marketsText()).to.equal(text);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
