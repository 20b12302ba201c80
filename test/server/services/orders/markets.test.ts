import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { OutsideError, Problem, UnreadableAnswer } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import { FEE_UNKNOWN, type FeeSchedule, type Market, type VenueEvent } from '#domain/market';
import type { MarketCatalog } from '#ports/venue';
import { OLD_ANSWER_WAIT_MS, STALE_WAIT_MS } from '#services/orders/lookup-cache';
import { createMarkets, type MarketRequest, type Markets } from '#services/orders/markets';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { rejectionOf } from '#test/support/promises';
import { OPEN_STATUS, sampleEvent, sampleMarket, tokenId } from '#test/support/sample-markets';

/** A catalog in memory: it counts its questions and can be down, slow, or out of date. */
class MemoryCatalog implements MarketCatalog {
  readonly requested: string[] = [];
  markets: Market[] = [];
  events: VenueEvent[] = [];
  isDown = false;
  isUnreadable = false;
  /** Takes questions and answers none, until it is told to. */
  silence: Promise<void> | null = null;

  fetchMarketBySlug(slug: string): Promise<Market | null> {
    return this.#answer(`market ${slug}`, () => this.markets.find((market) => market.slug === slug));
  }

  fetchEventBySlug(slug: string): Promise<VenueEvent | null> {
    return this.#answer(`event ${slug}`, () => this.events.find((event) => event.slug === slug));
  }

  fetchMarketByToken(token: TokenId): Promise<Market | null> {
    const hasToken = (market: Market) => market.outcomes.some((outcome) => outcome.tokenId === token);
    return this.#answer(`token ${token}`, () => this.markets.find(hasToken));
  }

  async fetchMarketsByTokens(tokens: readonly TokenId[]): Promise<readonly Market[]> {
    const isReported = ({ fee, status, outcomes }: Market) =>
      fee.known && !status.closed && outcomes.some(({ tokenId }) => tokens.includes(tokenId));
    return (await this.#answer(`tokens ${tokens}`, () => this.markets.filter(isReported))) ?? [];
  }

  async #answer<T>(question: string, find: () => T | undefined): Promise<T | null> {
    this.requested.push(question);
    await new Promise((resolve) => setImmediate(resolve));
    await this.silence;
    if (this.isDown) throw new OutsideError('gamma', 'answered 503', { failure: 'retryable', status: 503 });
    if (this.isUnreadable) throw new UnreadableAnswer('gamma', 'listed a row that cannot be read');
    return find() ?? null;
  }
}

/** Lets all happen that needs no time. */
async function soon(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

const titled = (number: number, title: string, facts: Partial<Market> = {}) =>
  sampleMarket(number, { groupItemTitle: title, question: `Will ${title} happen?`, ...facts });

const FEE: FeeSchedule = { rate: 0.05, exponent: 1, category: 'economics_fees', known: true };

describe('which market is meant', () => {
  let catalog: MemoryCatalog;
  let clock: ManualClock;
  let timers: ManualTimers;
  let scheduler: VirtualTimeScheduler;
  let markets: Markets;

  beforeEach(() => {
    catalog = new MemoryCatalog();
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    scheduler = new VirtualTimeScheduler();
    markets = createMarkets({ catalog, clock, timers, scheduler });
  });

  async function resolve(request: MarketRequest): Promise<string> {
    const { market, outcome } = await markets.resolve(request);
    return `${market.slug}: ${outcome.label}`;
  }

  /** The Problem that a request ends with; any other end fails the test. */
  async function problem(request: MarketRequest): Promise<Problem> {
    const end = await rejectionOf<Problem>(markets.resolve(request));
    expect(end).to.be.instanceOf(Problem);
    return end;
  }

  describe('by slug', () => {
    beforeEach(() => {
      const fed = [titled(1, '25 bps decrease'), titled(2, 'No change'), titled(3, 'Person A', { placeholder: true })];
      const match = sampleMarket(4, { slug: 'lal-bos', question: 'Lakers vs. Celtics', labels: ['Lakers', 'Celtics'] });
      const total = sampleMarket(5, { groupItemTitle: 'O/U 220.5', labels: ['Over', 'Under'] });
      catalog.markets = [...fed, match, total, sampleMarket(6, { slug: 'Silva-vs-Dias' })];
      catalog.events = [
        sampleEvent('fed-decision', fed),
        sampleEvent('lal-bos', [match, total]),
        sampleEvent('one-market', [sampleMarket(7)]),
        sampleEvent('nobody-yet', fed.slice(2)),
      ];
    });

    const table: readonly [string, MarketRequest, string][] = [
      ['takes a market slug, and its first outcome', { slug: 'market-1' }, 'market-1: Yes'],
      ['takes a market slug with an outcome', { slug: 'market-1', outcome: 'no' }, 'market-1: No'],
      ['takes an event slug with an outcome', { slug: 'fed-decision', outcome: 'no ch' }, 'market-2: Yes'],
      ['takes the slug of an event with one market', { slug: 'one-market' }, 'market-7: Yes'],
      [
        'takes the market where an event has the same slug, and its outcome first',
        { slug: 'lal-bos', outcome: 'Celtics' },
        'lal-bos: Celtics',
      ],
      ['and then one of the event', { slug: 'lal-bos', outcome: 'under' }, 'market-5: Under'],
      ['takes a slug with capital letters as written', { slug: 'Silva-vs-Dias' }, 'Silva-vs-Dias: Yes'],
      ['takes a slug in capital letters that is not', { slug: 'FED-Decision', outcome: 'No change' }, 'market-2: Yes'],
      [
        'takes the page of an event',
        { slug: 'https://polymarket.com/event/fed-decision', outcome: 'decrease' },
        'market-1: Yes',
      ],
      [
        'takes the page of a market in an event',
        { slug: 'https://polymarket.com/es/event/fed-decision/market-2?tid=1', outcome: 'No' },
        'market-2: No',
      ],
      ['takes the page of a market', { slug: 'https://polymarket.com/market/market-2' }, 'market-2: Yes'],
      [
        'takes a page that looks like an event’s and is a market’s',
        { slug: 'https://polymarket.com/event/market-2' },
        'market-2: Yes',
      ],
      [
        'takes the page of an event whose tournament stands in the place of the event',
        { slug: 'https://polymarket.com/sports/politics/rates/fed-decision', outcome: 'decrease' },
        'market-1: Yes',
      ],
      [
        'takes the page of an esports event',
        { slug: 'https://polymarket.com/esports/basketball/cup/lal-bos', outcome: 'under' },
        'market-5: Under',
      ],
    ];
    for (const [title, request, expected] of table) {
      it(title, async () => expect(await resolve(request)).to.equal(expected));
    }

    it('is at hand once it was looked for, until the catalog has to be asked again', async () => {
      const cached = (request: MarketRequest) => {
        const target = markets.resolveCached(request);
        return target && `${target.market.slug}: ${target.outcome.label}`;
      };
      const found: string[] = [];
      for (const [title, request, expected] of table) {
        markets = createMarkets({ catalog, clock, timers });
        expect(cached(request), `${title}, not looked for yet`).to.equal(null);
        await resolve(request);
        catalog.requested.length = 0;
        const target = cached(request);
        if (target !== null) {
          expect(target, title).to.equal(expected);
          expect(await resolve(request)).to.equal(expected);
          expect(catalog.requested, `${title}, resolved without a question`).to.deep.equal([]);
          found.push(target);
        }
        clock.advance(30_001);
        expect(cached(request), `${title}, half a minute later`).to.equal(null);
      }
      const plain = ['market-1: Yes', 'market-1: No', 'lal-bos: Celtics', 'Silva-vs-Dias: Yes', 'market-2: Yes'];
      expect(found).to.include.members(plain);
    });

    it('chooses no side of a market between two names, also where an event has the same slug', async () => {
      const missing = await problem({ slug: 'lal-bos' });
      expect(missing).to.include({ code: 'outcome_required' });
      expect(missing.candidates).to.deep.equal(['Lakers', 'Celtics']);
      expect(missing.message).to.contain('send one of the candidates as outcome');
    });

    it('asks for the outcome of an event with several markets', async () => {
      const missing = await problem({ slug: 'fed-decision' });
      expect(missing).to.include({ code: 'outcome_required' });
      expect(missing.candidates).to.deep.equal(['25 bps decrease', 'No change']);
      const wrong = await problem({ slug: 'fed-decision', outcome: '75 bps' });
      expect(wrong).to.include({ code: 'outcome_required' });
      expect(wrong.message).to.contain('"75 bps"');
      expect(wrong.candidates).to.deep.equal(['25 bps decrease', 'No change']);
    });

    it('lists the labels of a market where the outcome is none of them', async () => {
      const wrong = await problem({ slug: 'market-1', outcome: 'Maybe' });
      expect(wrong.code).to.equal('outcome_required');
      expect(wrong.candidates).to.deep.equal(['Yes', 'No']);
    });

    it('never takes a placeholder', async () => {
      const page = await problem({ slug: 'https://polymarket.com/event/fed-decision/market-3' });
      expect(page.code).to.equal('outcome_required');
      expect(page.candidates).to.deep.equal(['25 bps decrease', 'No change']);
      expect((await problem({ slug: 'market-3' })).code).to.equal('unknown_market');
      expect((await problem({ slug: 'https://polymarket.com/market/market-3' })).code).to.equal('unknown_market');
      expect((await problem({ slug: 'nobody-yet' })).code).to.equal('unknown_market');
      expect((await problem({ slug: 'https://polymarket.com/event/nobody-yet/market-3' })).code).to.equal(
        'unknown_market',
      );
    });

    it('says what it does not know, and what no slug can be', async () => {
      const unknown = await problem({ slug: 'no-such' });
      expect(unknown.code).to.equal('unknown_market');
      expect(unknown.message, 'not that there is none: it may have three outcomes').to.contain('that can be priced');
      expect((await problem({ slug: 'https://polymarket.com/event/fed-decision/no-such' })).code).to.equal(
        'unknown_market',
      );
      const invalid = await problem({ slug: 'https://polymarket.com@evil.com/event/fed-decision' });
      expect(invalid.code).to.equal('invalid_parameter');
      expect(invalid.message).to.contain('https://polymarket.com/event/<event>');
      expect((await problem({})).code).to.equal('invalid_parameter');
    });

    it('takes a closed market, so that the verdict can say so', async () => {
      catalog.markets = [sampleMarket(1, { status: { ...OPEN_STATUS, closed: true } })];
      expect(await resolve({ slug: 'market-1' })).to.equal('market-1: Yes');
    });
  });

  describe('by token', () => {
    beforeEach(() => {
      catalog.markets = [titled(1, 'No change'), sampleMarket(2, { placeholder: true })];
    });

    it('is the market of the token, with the token’s own outcome', async () => {
      expect(await resolve({ token_id: '11' })).to.equal('market-1: Yes');
      expect(await resolve({ token_id: '12' })).to.equal('market-1: No');
    });

    it('may name the outcome too, if it is the same one', async () => {
      expect(await resolve({ token_id: '12', outcome: 'NO' })).to.equal('market-1: No');
      expect(await resolve({ token_id: '11', outcome: 'No change' })).to.equal('market-1: Yes');
      const other = await problem({ token_id: '12', outcome: 'Yes' });
      expect(other.code).to.equal('outcome_required');
      expect(other.candidates).to.deep.equal(['No']);
    });

    it('is at hand with any market that was looked for, and with no other outcome than its own', async () => {
      const request = { token_id: '11' };
      expect(markets.resolveCached(request)).to.equal(null);
      const target = await markets.resolve(request);
      expect(markets.resolveCached(request)).to.deep.equal(target);
      const { label } = target.market.outcomes.find((outcome) => outcome !== target.outcome)!;
      expect(markets.resolveCached({ ...request, outcome: label })).to.equal(null);
      expect(markets.resolveCached({ token_id: 'x' })).to.equal(null);
      expect(markets.resolveCached({})).to.equal(null);
      clock.advance(30_001);
      expect(markets.resolveCached(request)).to.equal(null);
    });

    it('is unknown where the venue does not know the token, or only as a placeholder', async () => {
      expect((await problem({ token_id: '99' })).code).to.equal('unknown_market');
      expect((await problem({ token_id: '21' })).code).to.equal('unknown_market');
      expect((await problem({ token_id: '0x11' })).code).to.equal('invalid_parameter');
    });

    it('knows the tokens of markets that were looked up, and no others', async () => {
      expect(markets.isCached(tokenId('12'))).to.equal(false);
      await resolve({ slug: 'market-1' });
      expect(markets.isCached(tokenId('12'))).to.equal(true);
      await problem({ token_id: '99' });
      expect(markets.isCached(tokenId('99'))).to.equal(false);
    });
  });

  describe('as far as it is held', () => {
    const EVENT = sampleEvent('rate-decision', [titled(1, 'No change'), titled(2, '25 bps decrease')]);
    const codeOf = async (request: MarketRequest) => (await markets.heldFault(request))?.code ?? null;

    it('refuses what would be refused, with the same words and candidates, and asks nobody', async () => {
      catalog.markets = [sampleMarket(1), sampleMarket(2, { labels: ['Novak', 'Carlos'] })];
      catalog.events = [EVENT];
      const refused = [
        { slug: 'market-1', outcome: 'maybe' },
        { slug: 'market-2', outcome: 'No' },
        { slug: 'market-2' },
        { slug: 'https://polymarket.com/event/rate-decision', outcome: 'change, or a decrease' },
        { slug: 'rate-decision', outcome: 'nothing of it' },
        { slug: 'nowhere' },
        { token_id: '12', outcome: 'Yes' },
      ];
      for (const request of refused) {
        const { code, message, candidates } = await problem(request);
        const requested = catalog.requested.length;
        expect(await markets.heldFault(request), message).to.deep.include({ code, message, candidates });
        expect(catalog.requested).to.have.length(requested);
      }
    });

    it('says nothing against what would be answered, or what is not held', async () => {
      catalog.markets = [sampleMarket(1)];
      catalog.events = [EVENT];
      const requests = [
        { slug: 'market-1', outcome: 'maybe' },
        { slug: 'rate-decision', outcome: 'nothing of it' },
        { token_id: '11' },
      ];
      for (const request of requests) expect(await codeOf(request)).to.equal(null);
      expect(catalog.requested).to.deep.equal([]);
      await resolve({ slug: 'market-1', outcome: 'No' });
      expect(await codeOf({ slug: 'market-1', outcome: 'no' })).to.equal(null);
      clock.advance(30_001);
      expect(await codeOf({ slug: 'market-1', outcome: 'maybe' })).to.equal(null);
    });

    it('has nothing renewed for somebody who does not pay', async () => {
      catalog.markets = [sampleMarket(1)];
      await resolve({ slug: 'market-1' });
      clock.advance(25_000);
      const page = 'https://polymarket.com/event/an-event/market-1';
      expect(await codeOf({ slug: page, outcome: 'maybe' })).to.equal('outcome_required');
      scheduler.flush();
      await soon();
      expect(catalog.requested).to.deep.equal(['market market-1']);
    });

    it('says nothing of a market that could not be read, which may be read the next time', async () => {
      catalog.events = [sampleEvent('rate-decision', [titled(1, 'No change')], { listedCount: 2, unreadableCount: 1 })];
      const request = { slug: 'https://polymarket.com/event/rate-decision', outcome: 'hike' };
      expect((await problem(request)).code).to.equal('venue_unavailable');
      expect(await codeOf(request)).to.equal(null);
    });
  });

  describe('without asking the venue too often', () => {
    beforeEach(() => {
      catalog.markets = [sampleMarket(1)];
    });

    it('asks once for many requests at the same time', async () => {
      await Promise.all(Array.from({ length: 100 }, () => resolve({ slug: 'market-1' })));
      expect(catalog.requested).to.deep.equal(['market market-1']);
    });

    it('asks again after 30 seconds, and not before', async () => {
      await resolve({ slug: 'market-1' });
      clock.advance(30_000);
      await resolve({ slug: 'market-1' });
      expect(catalog.requested).to.have.length(1);
      clock.advance(1);
      await resolve({ slug: 'market-1' });
      expect(catalog.requested).to.have.length(2);
    });

    it('does not ask about a token whose market it has just found by slug', async () => {
      await resolve({ slug: 'market-1' });
      for (const [token_id, outcome] of [
        ['11', 'Yes'],
        ['12', 'No'],
      ] as const) {
        expect(await resolve({ token_id })).to.equal(`market-1: ${outcome}`);
        expect(markets.resolveCached({ token_id })?.outcome.label).to.equal(outcome);
      }
      expect(catalog.requested).to.deep.equal(['market market-1']);
    });

    it('keeps an absence for 5 seconds', async () => {
      await problem({ slug: 'soon' });
      await problem({ slug: 'soon' });
      expect(catalog.requested).to.deep.equal(['market soon', 'event soon']);
      catalog.markets.push(sampleMarket(2, { slug: 'soon' }));
      clock.advance(5_001);
      expect(await resolve({ slug: 'soon' })).to.equal('soon: Yes');
    });
  });

  describe('of markets that are in use', () => {
    /** Lets what is due be asked for, and the answer come. */
    async function renewed(): Promise<void> {
      scheduler.flush();
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    }

    /** Looks at what is at hand so long after they were all asked for. */
    async function useAfter(ms: number, requests: readonly MarketRequest[]): Promise<void> {
      for (const request of requests) await resolve(request);
      catalog.requested.length = 0;
      clock.advance(ms);
      for (const request of requests) markets.resolveCached(request);
      await renewed();
    }

    beforeEach(() => {
      catalog.markets = [sampleMarket(1), sampleMarket(2), sampleMarket(3)];
    });

    it('asks for all anew in one question before their answers lapse, so that no caller waits', async () => {
      await useAfter(20_000, [{ token_id: '11' }, { token_id: '22' }, { slug: 'market-3' }]);
      expect(catalog.requested).to.deep.equal(['tokens 11,22,31']);
      catalog.markets = [];
      clock.advance(30_000);
      for (const token_id of ['11', '22', '31'])
        expect(markets.resolveCached({ token_id }), token_id).not.to.equal(null);
      expect(markets.resolveCached({ slug: 'market-3' })?.market.slug).to.equal('market-3');
    });

    it('says what the newer answer says', async () => {
      await resolve({ token_id: '11' });
      clock.advance(20_000);
      markets.resolveCached({ token_id: '11' });
      catalog.markets = [sampleMarket(1, { question: 'Will it, now?' })];
      await renewed();
      expect(markets.resolveCached({ token_id: '11' })?.market.question).to.equal('Will it, now?');
    });

    it('leaves a market the object that it is, so that what is kept of it holds, for as long as answers say the same', async () => {
      const first = await markets.resolve({ token_id: '11' });
      catalog.markets = [sampleMarket(1)];
      expect((await markets.resolve({ slug: 'market-1' })).market, 'found by slug').to.equal(first.market);
      await useAfter(20_000, [{ token_id: '11' }]);
      expect(catalog.requested).to.deep.equal(['tokens 11']);
      const renewed = markets.resolveCached({ token_id: '11' })!;
      expect(renewed.market, 'renewed').to.equal(first.market);
      expect(renewed.outcome).to.equal(first.outcome);
      clock.advance(30_001);
      expect((await markets.resolve({ token_id: '11' })).market, 'asked for alone').to.equal(first.market);
      catalog.markets = [sampleMarket(1, { status: { ...OPEN_STATUS, acceptingOrders: false } })];
      clock.advance(30_001);
      expect((await markets.resolve({ token_id: '11' })).market.status.acceptingOrders).to.equal(false);
    });

    it('asks about each answer once, and about none that is young or that nobody uses', async () => {
      await useAfter(19_999, [{ token_id: '11' }, { token_id: '21' }]);
      expect(catalog.requested).to.deep.equal([]);
      clock.advance(1);
      catalog.isDown = true;
      for (let round = 0; round < 3; round++) {
        markets.resolveCached({ token_id: '11' });
        await renewed();
      }
      expect(catalog.requested).to.deep.equal(['tokens 11']);
    });

    for (const [what, outcome] of [
      ['has closed', () => catalog.markets.splice(0, 1, sampleMarket(1, { status: { ...OPEN_STATUS, closed: true } }))],
      ['has no fee in the lists', () => catalog.markets.splice(0, 1, sampleMarket(1, { fee: FEE_UNKNOWN }))],
      ['cannot be asked about', () => Object.assign(catalog, { isDown: true })],
    ] as const) {
      it(`asks about one that ${what} by itself, for the first caller after its answer has lapsed`, async () => {
        await resolve({ token_id: '11' });
        outcome();
        catalog.requested.length = 0;
        clock.advance(25_000);
        expect(markets.resolveCached({ token_id: '11' })).not.to.equal(null);
        await renewed();
        clock.advance(5_001);
        expect(markets.resolveCached({ token_id: '11' })).to.equal(null);
        await resolve({ token_id: '11' });
        expect(catalog.requested).to.deep.equal(['tokens 11', 'token 11']);
      });
    }

    it('does not put an answer to an older question in the place of a newer one', async () => {
      let report = (_markets: readonly Market[]) => {};
      catalog.fetchMarketsByTokens = () => new Promise((resolve) => (report = resolve));
      await resolve({ token_id: '11' });
      clock.advance(29_000);
      markets.resolveCached({ token_id: '11' });
      scheduler.flush();
      catalog.markets = [sampleMarket(1, { question: 'Newer?' })];
      clock.advance(1_001);
      await resolve({ token_id: '11' });
      report([sampleMarket(1, { question: 'Older?' })]);
      await renewed();
      expect((await markets.resolve({ token_id: '11' })).market.question).to.equal('Newer?');
    });

    it('does not ask again and again while the catalog is away', async () => {
      await resolve({ token_id: '11' });
      catalog.isDown = true;
      clock.advance(60_000);
      await resolve({ token_id: '11' });
      catalog.requested.length = 0;
      clock.advance(1_000);
      markets.resolveCached({ token_id: '11' });
      await renewed();
      expect(catalog.requested).to.deep.equal([]);
    });
  });

  describe('while the venue cannot be asked', () => {
    beforeEach(() => {
      catalog.markets = [sampleMarket(1)];
    });

    it('says so where nothing is known, and when to try again', async () => {
      catalog.isDown = true;
      const down = await problem({ slug: 'market-1' });
      expect(down).to.include({ code: 'venue_unavailable', retryAfterS: 5 });
      expect(down.cause).to.be.instanceOf(OutsideError);
      expect((await problem({ token_id: '11' })).code).to.equal('venue_unavailable');
      catalog.isDown = false;
      expect(await resolve({ slug: 'market-1' })).to.equal('market-1: Yes');
    });

    it('uses what it knew for ten minutes and no longer', async () => {
      await resolve({ slug: 'market-1' });
      catalog.isDown = true;
      clock.advance(600_000);
      expect(await resolve({ slug: 'market-1' })).to.equal('market-1: Yes');
      clock.advance(2_001);
      expect((await problem({ slug: 'market-1' })).code).to.equal('venue_unavailable');
    });

    it('does not let every request wait for the venue’s time limit', async () => {
      await resolve({ slug: 'market-1' });
      catalog.isDown = true;
      clock.advance(60_000);
      for (let i = 0; i < 10; i++) await resolve({ slug: 'market-1' });
      expect(catalog.requested).to.have.length(2);
      catalog.isDown = false;
      clock.advance(2_001);
      await resolve({ slug: 'market-1' });
      expect(catalog.requested).to.have.length(3);
    });

    it('says that its answer cannot be read, also where an older one could be', async () => {
      await resolve({ slug: 'market-1' });
      catalog.isUnreadable = true;
      clock.advance(30_001);
      const torn = await problem({ slug: 'market-1' });
      expect(torn).to.include({ code: 'venue_unavailable', retryAfterS: 5 });
      expect(torn.message).to.contain('cannot be read');
      catalog.isUnreadable = false;
      expect(await resolve({ slug: 'market-1' }), 'and does not keep it').to.equal('market-1: Yes');
    });

    describe('because it is silent', () => {
      let speak: () => void;
      beforeEach(() => {
        speak = () => {};
      });
      function fallSilent(): void {
        catalog.silence = new Promise((resolve) => {
          speak = resolve;
        });
        catalog.requested.length = 0;
      }
      afterEach(() => speak());
      const questions = [{ token_id: '11' }, { slug: 'market-1' }] as const;

      for (const request of questions) {
        it(`uses what it knew of ${JSON.stringify(request)} after a moment, and then without one`, async () => {
          await resolve(request);
          clock.advance(60_000);
          fallSilent();
          const waiting = resolve(request);
          await soon();
          timers.advance(STALE_WAIT_MS);
          expect(await waiting).to.equal('market-1: Yes');
          expect(markets.resolveCached(request), 'for all who come after').not.to.equal(null);
          expect(catalog.requested).to.have.length(1);
        });
      }

      it('waits longer before it uses what is over a minute old, and not again while the catalog is silent', async () => {
        await resolve({ token_id: '11' });
        clock.advance(60_001);
        fallSilent();
        catalog.markets = [sampleMarket(1, { status: { ...OPEN_STATUS, acceptingOrders: false } })];
        const slow = markets.resolve({ token_id: '11' });
        await soon();
        timers.advance(STALE_WAIT_MS);
        speak();
        expect((await slow).market.status.acceptingOrders, 'it only took its time').to.equal(false);
        clock.advance(60_001);
        fallSilent();
        const isEnded = { first: false, later: false };
        const first = resolve({ token_id: '11' }).finally(() => {
          isEnded.first = true;
        });
        await soon();
        timers.advance(OLD_ANSWER_WAIT_MS - 1);
        await soon();
        expect(isEnded.first).to.equal(false);
        timers.advance(1);
        await first;
        clock.advance(2_001);
        const later = resolve({ token_id: '11' }).finally(() => {
          isEnded.later = true;
        });
        await soon();
        timers.advance(STALE_WAIT_MS);
        await later;
        expect(isEnded.later).to.equal(true);
      });

      it('keeps what is said in the end, late as it is', async () => {
        await resolve({ token_id: '11' });
        clock.advance(60_000);
        fallSilent();
        catalog.markets = [sampleMarket(1, { status: { ...OPEN_STATUS, acceptingOrders: false } })];
        const waiting = markets.resolve({ token_id: '11' });
        await soon();
        timers.advance(STALE_WAIT_MS);
        expect((await waiting).market.status.acceptingOrders).to.equal(true);
        speak();
        await soon();
        expect((await markets.resolve({ token_id: '11' })).market.status.acceptingOrders).to.equal(false);
        expect(catalog.requested).to.have.length(1);
      });

      it('does not use what is older than ten minutes', async () => {
        await resolve({ token_id: '11' });
        clock.advance(600_001);
        fallSilent();
        const waiting = problem({ token_id: '11' });
        await soon();
        timers.advance(STALE_WAIT_MS);
        await soon();
        timers.advance(10_000);
        expect((await waiting).code).to.equal('venue_unavailable');
      });

      it('says so where nothing is known, however many questions are left', async () => {
        for (const request of [...questions, { slug: 'An-Event', outcome: 'x' }]) {
          fallSilent();
          const waiting = problem(request);
          await soon();
          timers.advance(2_500);
          expect(await waiting).to.include({ code: 'venue_unavailable', retryAfterS: 5 });
          expect(catalog.requested).to.have.length(1);
          speak();
        }
      });
    });

    it('does not take an old absence for an answer', async () => {
      await problem({ slug: 'soon' });
      catalog.isDown = true;
      clock.advance(5_001);
      expect((await problem({ slug: 'soon' })).code).to.equal('venue_unavailable');
    });
  });

  describe('in an event of which rows could not be read', () => {
    const rows = { listedCount: 3, unreadableCount: 2 };
    beforeEach(() => {
      catalog.events = [sampleEvent('rate-decision', [titled(1, 'No change')], rows)];
    });

    it('is the one that is named whole, and none that is left over', async () => {
      expect(await resolve({ slug: 'rate-decision', outcome: 'no CHANGE' })).to.equal('market-1: Yes');
      for (const request of [{}, { outcome: 'No' }, { outcome: 'Yes' }]) {
        const missing = await problem({ slug: 'rate-decision', ...request });
        expect([missing.code, missing.candidates]).to.deep.equal(['outcome_required', ['No change']]);
      }
    });

    it('may be one of those, which is not remembered', async () => {
      for (const outcome of ['25 bps decrease', 'change']) {
        const missing = await problem({ slug: 'rate-decision', outcome });
        expect(missing).to.include({ code: 'venue_unavailable', retryAfterS: 5 });
      }
      catalog.events = [sampleEvent('rate-decision', [titled(1, 'No change'), titled(2, '25 bps decrease')])];
      expect(await resolve({ slug: 'rate-decision', outcome: '25 bps decrease' })).to.equal('market-2: Yes');
    });
  });

  describe('where the market and its event have one slug', () => {
    const game = sampleMarket(1, {
      slug: 'avn-bbb',
      question: 'Avon Shock vs Bbb Ranchers',
      labels: ['Avon Shock', 'Bbb Ranchers'],
    });
    const advance = sampleMarket(2, { groupItemTitle: 'Team to Advance', labels: ['AVN', 'BBB'] });
    beforeEach(() => {
      catalog.markets = [game, advance];
      catalog.events = [sampleEvent('avn-bbb', [game, advance])];
    });

    for (const [outcome, meant] of [
      ['AVN', 'market-2: AVN'],
      ['BBB', 'market-2: BBB'],
      ['Bbb Ranchers', 'avn-bbb: Bbb Ranchers'],
      ['Shock', 'avn-bbb: Avon Shock'],
      ['Team to Advance: bbb', 'market-2: BBB'],
    ] as const) {
      it(`"${outcome}" means ${meant}, also once it was looked for`, async () => {
        for (let time = 0; time < 2; time++) {
          const target = markets.resolveCached({ slug: 'avn-bbb', outcome });
          if (target !== null) expect(`${target.market.slug}: ${target.outcome.label}`).to.equal(meant);
          expect(await resolve({ slug: 'avn-bbb', outcome })).to.equal(meant);
        }
      });
    }

    it('asks the event for nothing where the market has the whole name', async () => {
      await resolve({ slug: 'avn-bbb', outcome: 'avon shock' });
      expect(catalog.requested).to.deep.equal(['market avn-bbb']);
    });

    it('takes no team where only the name of the market is said', async () => {
      const missing = await problem({ slug: 'avn-bbb', outcome: 'Team to Advance' });
      expect([missing.code, missing.candidates]).to.deep.equal(['outcome_required', ['AVN', 'BBB']]);
    });

    it('is in doubt where a row of the event cannot be read, and a part of its own name is all that fits', async () => {
      catalog.events = [sampleEvent('avn-bbb', [game], { listedCount: 2, unreadableCount: 1 })];
      expect(await problem({ slug: 'avn-bbb', outcome: 'BBB' })).to.include({ code: 'venue_unavailable' });
      expect(await resolve({ slug: 'avn-bbb', outcome: 'Bbb Ranchers' })).to.equal('avn-bbb: Bbb Ranchers');
    });
  });

  it('shows a market as closed as soon as the market channel says it is resolved, whatever the catalog says', async () => {
    const market = sampleMarket(1);
    catalog.markets = [market];
    catalog.events = [sampleEvent('an-event', [market, titled(2, 'Other')])];
    await resolve({ slug: 'market-1' });
    markets.markResolved('0xother' as ConditionId);
    expect(markets.resolveCached({ token_id: '11' })?.market.status.closed).to.equal(false);
    markets.markResolved(market.conditionId);
    expect(markets.resolveCached({ token_id: '11' })?.market.status.closed).to.equal(true);
    for (const request of [
      { slug: 'market-1' },
      { token_id: '11' },
      { slug: 'an-event', outcome: 'Will number 1 win?' },
    ]) {
      const { status } = (await markets.resolve(request)).market;
      expect(status).to.include({ closed: true, acceptingOrders: false, umaResolutionStatus: 'resolved' });
    }
    clock.advance(30_001);
    expect((await markets.resolve({ slug: 'market-1' })).market.status.closed).to.equal(true);
    expect((await markets.resolve({ slug: 'an-event', outcome: 'Other' })).market.status.closed).to.equal(false);
  });

  it('completes a fee that is missing among the markets of an event by asking for the market alone', async () => {
    catalog.markets = [titled(1, 'A', { fee: FEE }), titled(2, 'B', { fee: FEE })];
    const untold = catalog.markets.map((market) => ({ ...market, fee: FEE_UNKNOWN }));
    catalog.events = [sampleEvent('an-event', untold)];
    const target = await markets.resolve({ slug: 'an-event', outcome: 'B' });
    expect(target.market.fee).to.deep.equal(FEE);
    await markets.resolve({ slug: 'an-event', outcome: 'B' });
    expect(catalog.requested).to.deep.equal(['market an-event', 'event an-event', 'token 21']);
    expect(markets.isCached(tokenId('21'))).to.equal(true);
  });

  it('takes with the fee that the market accepts no orders, and never that it is open again', async () => {
    const halted = { ...OPEN_STATUS, acceptingOrders: false };
    for (const [inEvent, alone, expected] of [
      [OPEN_STATUS, halted, halted],
      [{ ...OPEN_STATUS, closed: true }, OPEN_STATUS, { ...OPEN_STATUS, closed: true }],
      [halted, OPEN_STATUS, halted],
    ] as const) {
      catalog = new MemoryCatalog();
      catalog.markets = [titled(2, 'B', { fee: FEE, status: alone })];
      catalog.events = [
        sampleEvent('an-event', [titled(1, 'A', { fee: FEE }), titled(2, 'B', { fee: FEE_UNKNOWN, status: inEvent })]),
      ];
      const one = createMarkets({ catalog, clock, timers });
      expect((await one.resolve({ slug: 'an-event', outcome: 'B' })).market.status).to.deep.equal(expected);
    }
  });

  it('keeps the worst fee where it cannot be completed', async () => {
    const untold = [titled(1, 'A', { fee: FEE_UNKNOWN }), titled(2, 'B')];
    catalog.events = [sampleEvent('an-event', untold)];
    expect((await markets.resolve({ slug: 'an-event', outcome: 'A' })).market.fee).to.deep.equal(FEE_UNKNOWN);
    catalog.isDown = true;
    clock.advance(5_001);
    expect((await markets.resolve({ slug: 'an-event', outcome: 'A' })).market.fee).to.deep.equal(FEE_UNKNOWN);
  });

  it('passes on a fault that is not the venue’s', async () => {
    const broken = createMarkets({
      catalog: Object.assign(new MemoryCatalog(), { fetchMarketBySlug: () => Promise.reject(new TypeError('bug')) }),
      clock,
      timers,
    });
    expect(await broken.resolve({ slug: 'market-1' }).catch((e: unknown) => e)).to.be.instanceOf(TypeError);
  });
});
