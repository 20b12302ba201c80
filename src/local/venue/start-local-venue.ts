import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express, { type Express } from 'express';
import { MARKET_CHANNEL_PATH, MarketChannel } from './doors/channel/market-channel.js';
import { clobRoutes } from './doors/clob/routes.js';
import { controlRoutes } from './doors/control-routes.js';
import { dataRoutes } from './doors/data/routes.js';
import { gammaRoutes } from './doors/gamma/routes.js';
import { gammaWording, plainWording, refusePath, refuseUnread } from './doors/refusals.js';
import { LIVE_FEED_PATH, LiveFeed } from './doors/rtds/live-feed.js';
import { type RestApi, VenueFaults } from './faults/faults.js';
import { resetConnection } from './faults/reset-connection.js';
import { restFaultGate } from './faults/rest-faults.js';
import { type ExampleWallet, exampleWallets } from './history/example-wallets.js';
import { VenueHistory } from './history/venue-history.js';
import { bulkMarketEvents } from './listings/bulk-markets.js';
import { edgeCaseEvents } from './listings/edge-cases.js';
import { hostileEvents, underHostileName } from './listings/hostile-names.js';
import { politicsEvents } from './listings/politics.js';
import { priceStepEvents } from './listings/price-steps.js';
import { secondProtocolEvents } from './listings/second-protocol.js';
import { sportsEvents } from './listings/sports.js';
import type { LocalMarket, LocalVenue, LocalVenueOptions } from './local-venue.js';
import type { BookView } from './market/book-view.js';
import { ListedPriceCache } from './market/listed-prices.js';
import { seededRandom, seedFor } from './market/seeded-random.js';
import { Tape } from './market/tape.js';
import { VenueState } from './market/venue-state.js';
import type { VenueWallet } from './market/wallets.js';
import { OrderDesk } from './orders/order-desk.js';
import { Replay } from './recording/replay.js';
import { listRecording } from './recording/replay-listing.js';
import { followCryptoWindows } from './simulation/crypto-windows.js';
import { startPacemaker } from './simulation/pacemaker.js';
import { Settlement } from './simulation/settlement.js';
import { Simulation } from './simulation/simulation.js';

export type { LocalMarket, LocalVenue, LocalVenueOptions } from './local-venue.js';

const SEED_USUAL = 20260714;
const TICK_MS_USUAL = 250;
const HEARTBEAT_MS_USUAL = 20_000;
const FOLLOW_CLOCK_MS = 1_000;
/**
 * Clients close idle connections first: closed from here, one could break under a request that is
 * on its way.
 */
const KEEP_ALIVE_MS = 65_000;

/** Starts the local venue on loopback. Rejects where the port is taken. */
export async function startLocalVenue(options: LocalVenueOptions): Promise<LocalVenue> {
  const venue = new Venue(options);
  await venue.listen(options.port ?? 0);
  return venue;
}

class Venue implements LocalVenue {
  readonly #options: LocalVenueOptions;
  readonly faults: VenueFaults;
  readonly #state: VenueState;
  readonly #history: VenueHistory;
  readonly #tape: Tape;
  readonly #prices = new ListedPriceCache();
  readonly #server: Server;
  readonly #channel: MarketChannel;
  readonly #feed: LiveFeed;
  readonly #simulation: Simulation;
  readonly #settlement: Settlement;
  readonly #followWindows: (nowMs: number) => void;
  readonly #replay: Replay | null;
  readonly #desk: OrderDesk;
  readonly #stops: (() => void)[] = [];

  constructor(options: LocalVenueOptions) {
    this.#options = options;
    const publish = this.#channelPublish;
    const seed = options.seed ?? SEED_USUAL;
    this.#tape = new Tape(options.clock.nowMs());
    const walletOf = options.hostileNames === true ? underHostileName<VenueWallet> : undefined;
    this.#history = new VenueHistory({ seed, clock: options.clock, tape: this.#tape, walletOf });
    this.#state = new VenueState(() => {
      this.#history.ensure();
      return this.#history.state;
    });
    this.faults = new VenueFaults(
      {
        dropSockets: () => this.#dropSockets(),
        resendBook: (tokenId) => this.#channel.resendBook(tokenId),
        resolveMarket: (slug) => this.#resolveMarket(slug),
      },
      seededRandom(seedFor(seed, 'mishaps')),
    );
    this.faults.mishaps = options.mishaps ?? 0;
    this.#desk = new OrderDesk({
      state: this.#state,
      exchange: (slug) => this.#simulation.exchange(slug),
      clock: options.clock,
    });
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, this.#app());
    const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS_USUAL;
    const { faults } = this;
    const [state, tape] = [this.#state, this.#tape];
    this.#channel = new MarketChannel({ faults, viewOf: this.#viewOf, isResolved: this.#isResolved, heartbeatMs });
    this.#feed = new LiveFeed({ faults, clock: options.clock });
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket as Socket, head));
    this.#simulation = new Simulation({ seed, clock: options.clock, state, tape, publish });
    this.#simulation.add([...politicsEvents, ...sportsEvents, ...edgeCaseEvents]);
    this.#simulation.add([...priceStepEvents, ...secondProtocolEvents]);
    this.#simulation.add(bulkMarketEvents(options.bulkMarkets ?? 0));
    if (options.hostileNames === true) this.#simulation.add(hostileEvents);
    this.#settlement = new Settlement({
      seed,
      clock: options.clock,
      publish,
      closeSockets: () => this.#channel.closeResolved(),
      forgetPrices: (slug) => this.#prices.forget(slug),
    });
    this.#followWindows = followCryptoWindows(this.#simulation, state, publish, (market) =>
      this.#settlement.settle(market),
    );
    this.#followWindows(options.clock.nowMs());
    this.#replay = this.#openRecording();
    tape.follow((rows) => this.#feed.publish(rows));
  }

  get markets(): readonly LocalMarket[] {
    return this.#state.marketsOfToday().map((market) => ({
      slug: market.spec.slug,
      eventSlug: market.event.slug,
      question: market.spec.question,
      groupItemTitle: market.spec.groupItemTitle,
      description: market.spec.purpose,
      conditionId: market.ids.conditionId,
      outcomes: ([0, 1] as const).map((at) => ({ label: market.spec.outcomes[at], tokenId: market.ids.tokenIds[at] })),
      hasBook: market.hasBook,
    }));
  }

  get exampleWallets(): readonly ExampleWallet[] {
    const wallets = exampleWallets(this.#options.clock.nowMs());
    return this.#options.hostileNames === true ? wallets.map(underHostileName) : wallets;
  }

  get gammaUrl(): string {
    return `${this.#origin('http')}/gamma`;
  }

  get clobUrl(): string {
    return `${this.#origin('http')}/clob`;
  }

  get dataUrl(): string {
    return `${this.#origin('http')}/data`;
  }

  get controlUrl(): string {
    return `${this.#origin('http')}/control`;
  }

  get wsUrl(): string {
    return `${this.#origin('ws')}${MARKET_CHANNEL_PATH}`;
  }

  get rtdsUrl(): string {
    return `${this.#origin('ws')}${LIVE_FEED_PATH}`;
  }

  get socketCount(): number {
    return this.#channel.clientCount;
  }

  step(count = 1, slug?: string): void {
    this.#followClock();
    this.#simulation.step(count, slug);
    if (slug === undefined) this.#replay?.step(count);
  }

  bookOf(tokenId: string): BookView | null {
    return this.#viewOf(tokenId);
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => resolve());
    });
    this.#startMoving();
  }

  async close(): Promise<void> {
    this.#desk.stop();
    for (const stop of this.#stops) stop();
    this.#dropSockets();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  readonly #viewOf = (tokenId: string): BookView | null => {
    const market = this.#state.marketOfToken(tokenId);
    return market?.hasBook === true ? market.view(market.outcomeOf(tokenId)) : null;
  };

  readonly #isResolved = (tokenId: string): boolean => (this.#state.marketOfToken(tokenId)?.payout ?? null) !== null;

  /** A book is empty from the moment its market is resolved until the listing says so; then it is gone. */
  readonly #restViewOf = (tokenId: string): BookView | null => {
    const market = this.#state.marketOfToken(tokenId);
    if (market?.isSettling(this.#options.clock.nowMs()) !== true) return this.#viewOf(tokenId);
    return { ...market.view(market.outcomeOf(tokenId)), bidsAscending: [], asksDescending: [] };
  };

  readonly #channelPublish = (frame: Parameters<MarketChannel['publish']>[0]): void => {
    this.#channel.publish(frame);
  };

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const path = request.url?.split('?')[0];
    if (this.faults.refuseSockets) resetConnection(socket);
    else if (path === MARKET_CHANNEL_PATH) this.#channel.accept(request, socket, head);
    else if (path === LIVE_FEED_PATH) this.#follow(request, socket, head);
    else resetConnection(socket);
  }

  /** Whoever follows the live feed wants the planned trades too, as they come. */
  #follow(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#history.ensure();
    this.#feed.accept(request, socket, head);
  }

  #dropSockets(): void {
    this.#channel.dropSockets();
    this.#feed.dropSockets();
  }

  #startMoving(): void {
    const tickMs = this.#options.tickMs ?? TICK_MS_USUAL;
    if (this.#replay !== null) {
      this.#replay.start();
      this.#stops.push(() => this.#replay?.stop());
    }
    if (tickMs === 0) return;
    const dice = seededRandom(seedFor(this.#options.seed ?? SEED_USUAL, 'pacemaker'));
    const change = () => this.#simulation.stepOne(dice.next());
    this.#stops.push(startPacemaker(tickMs, () => this.#simulation.marketCount, change));
    const clock = setInterval(() => this.#followClock(), FOLLOW_CLOCK_MS);
    this.#stops.push(() => clearInterval(clock));
  }

  #followClock(): void {
    this.#followWindows(this.#options.clock.nowMs());
    this.#history.follow();
  }

  #openRecording(): Replay | null {
    const { recording, clock } = this.#options;
    if (recording === undefined) return null;
    const { events, booksByCondition } = listRecording(recording.recording, clock.nowMs());
    for (const event of events) this.#state.list(event);
    return new Replay(recording, booksByCondition, clock, this.#channelPublish);
  }

  /** Resolves a market that is commanded to be, as the faults in force say. */
  #resolveMarket(slug: string): void {
    const market = this.#state.market(slug);
    if (market === undefined) throw new Error(`there is no market ${slug}; GET /control/markets lists them`);
    if (this.faults.closeResolved) this.#settlement.settle(market, false);
    else this.#settlement.resolve(market);
  }

  #app(): Express {
    const { faults } = this;
    const [state, prices, tape, viewOf] = [this.#state, this.#prices, this.#tape, this.#restViewOf];
    const { clock } = this.#options;
    const app = express();
    app.disable('x-powered-by');
    const rest = (api: RestApi, routes: express.Router, wording = plainWording) =>
      app.use(`/${api}`, restFaultGate(api, faults), routes, refusePath(wording), refuseUnread(wording));
    rest('gamma', gammaRoutes({ state, prices, clock }), gammaWording);
    rest('clob', clobRoutes({ state, faults, clock, viewOf, desk: this.#desk }));
    rest('data', dataRoutes({ tape, state, faults, clock, ready: () => this.#history.ensure() }));
    app.use('/control', controlRoutes({ faults, step: (count) => this.step(count), listing: () => this.markets }));
    return app;
  }

  #origin(scheme: 'http' | 'ws'): string {
    return `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo | null)?.port ?? 0}`;
  }
}
