import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import type { BookView } from './book-view.js';
import { clobRoutes } from './clob-routes.js';
import { controlRoutes } from './control-routes.js';
import { CryptoWindows } from './crypto-windows.js';
import { dataRoutes } from './data-routes.js';
import { type RestApi, VenueFaults } from './faults.js';
import { gammaRoutes } from './gamma-routes.js';
import { ListedPriceCache } from './listed-prices.js';
import { marketResolvedFrame } from './listing-frames.js';
import { edgeCaseEvents } from './listings/edge-cases.js';
import { politicsEvents } from './listings/politics.js';
import { sportsEvents } from './listings/sports.js';
import type { LocalMarket, LocalVenue, LocalVenueOptions } from './local-venue.js';
import { MARKET_CHANNEL_PATH, MarketChannel } from './market-channel.js';
import { startPacemaker } from './pacemaker.js';
import { Replay } from './replay.js';
import { listRecording } from './replay-listing.js';
import { restFaultGate } from './rest-faults.js';
import { seededRandom, seedFor } from './seeded-random.js';
import { Simulation } from './simulation.js';
import { Tape } from './tape.js';
import { VenueState } from './venue-state.js';

export type { LocalMarket, LocalVenue, LocalVenueOptions } from './local-venue.js';

const SEED_USUAL = 20260714;
const TICK_MS_USUAL = 250;
const HEARTBEAT_MS_USUAL = 20_000;
const FOLLOW_CLOCK_MS = 1_000;

/** Starts the local venue on loopback. Rejects where the port is taken. */
export async function startLocalVenue(options: LocalVenueOptions): Promise<LocalVenue> {
  const venue = new Venue(options);
  await venue.listen(options.port ?? 0);
  return venue;
}

class Venue implements LocalVenue {
  readonly faults: VenueFaults;
  private readonly state = new VenueState();
  private readonly tape = new Tape();
  private readonly prices = new ListedPriceCache();
  private readonly server: Server;
  private readonly channel: MarketChannel;
  private readonly simulation: Simulation;
  private readonly windows: CryptoWindows;
  private readonly replay: Replay | null;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly options: LocalVenueOptions) {
    const publish = this.channelPublish;
    const seed = options.seed ?? SEED_USUAL;
    this.faults = new VenueFaults({
      dropSockets: () => this.channel.dropSockets(),
      resendBook: (tokenId) => this.channel.resendBook(tokenId),
      resolveMarket: (slug) => this.resolveMarket(slug),
    });
    this.server = createServer(this.app());
    const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS_USUAL;
    this.channel = new MarketChannel(this.server, { faults: this.faults, viewOf: this.viewOf, heartbeatMs });
    const { state, tape } = this;
    this.simulation = new Simulation({ seed, clock: options.clock, state, tape, publish });
    this.simulation.add([...politicsEvents, ...sportsEvents, ...edgeCaseEvents]);
    this.windows = new CryptoWindows(this.simulation, state, publish, (slug) => this.resolveMarket(slug));
    this.windows.follow(options.clock.nowMs());
    this.replay = this.openRecording();
  }

  get markets(): readonly LocalMarket[] {
    return this.state.markets().map((market) => ({
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

  get gammaUrl(): string {
    return `${this.origin('http')}/gamma`;
  }

  get clobUrl(): string {
    return `${this.origin('http')}/clob`;
  }

  get dataUrl(): string {
    return `${this.origin('http')}/data`;
  }

  get controlUrl(): string {
    return `${this.origin('http')}/control`;
  }

  get wsUrl(): string {
    return `${this.origin('ws')}${MARKET_CHANNEL_PATH}`;
  }

  get socketCount(): number {
    return this.channel.clientCount;
  }

  step(count = 1, slug?: string): void {
    this.windows.follow(this.options.clock.nowMs());
    this.simulation.step(count, slug);
    if (slug === undefined) this.replay?.step(count);
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => resolve());
    });
    this.startMoving();
  }

  async close(): Promise<void> {
    for (const stop of this.stops) stop();
    this.channel.dropSockets();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private readonly viewOf = (tokenId: string): BookView | null => {
    const market = this.state.marketOfToken(tokenId);
    return market?.hasBook === true ? market.view(market.outcomeOf(tokenId)) : null;
  };

  private readonly channelPublish = (frame: Parameters<MarketChannel['publish']>[0]): void => {
    this.channel.publish(frame);
  };

  private startMoving(): void {
    const tickMs = this.options.tickMs ?? TICK_MS_USUAL;
    if (this.replay !== null) {
      this.replay.start();
      this.stops.push(() => this.replay?.stop());
    }
    if (tickMs === 0) return;
    const dice = seededRandom(seedFor(this.options.seed ?? SEED_USUAL, 'pacemaker'));
    const change = () => this.simulation.stepOne(dice.next());
    this.stops.push(startPacemaker(tickMs, () => this.simulation.marketCount, change));
    const clock = setInterval(() => this.windows.follow(this.options.clock.nowMs()), FOLLOW_CLOCK_MS);
    this.stops.push(() => clearInterval(clock));
  }

  private openRecording(): Replay | null {
    const { recording, clock } = this.options;
    if (recording === undefined) return null;
    const { events, booksByCondition } = listRecording(recording.recording, clock.nowMs());
    for (const event of events) this.state.list(event);
    return new Replay(recording, booksByCondition, clock, this.channelPublish);
  }

  private resolveMarket(slug: string): void {
    const market = this.state.market(slug);
    if (market === undefined) throw new Error(`there is no market ${slug}; GET /control/markets lists them`);
    if (market.closed) return;
    const bid = market.view(0).bidsAscending.at(-1)?.priceTicks ?? 0;
    const nowMs = this.options.clock.nowMs();
    const winner = bid >= 5_000 ? 0 : 1;
    market.resolve(winner, nowMs);
    this.prices.forget(slug);
    this.channel.publish(marketResolvedFrame(market, winner, nowMs));
  }

  private app(): Express {
    const { state, prices, faults, tape, viewOf } = this;
    const { clock } = this.options;
    const app = express();
    app.disable('x-powered-by');
    const rest = (api: RestApi, routes: express.Router) => app.use(`/${api}`, restFaultGate(api, faults), routes);
    rest('gamma', gammaRoutes({ state, prices, clock }));
    rest('clob', clobRoutes({ state, faults, clock, viewOf }));
    rest('data', dataRoutes(tape));
    app.use('/control', controlRoutes({ faults, step: (count) => this.step(count), listing: () => this.markets }));
    return app;
  }

  private origin(scheme: 'http' | 'ws'): string {
    return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo | null)?.port ?? 0}`;
  }
}
