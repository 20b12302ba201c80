import { setImmediate as turn } from 'node:timers/promises';
import { attemptJson, type HttpRequest, type JsonAnswer, type Throttled } from '#adapters/http-client/attempt';
import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { connectRtds } from '#adapters/polymarket/rtds';
import type { VenueAtHand } from '#compose/venue-check';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import type { ConnectTextSocket, TextSocketHandlers } from '#wire/polymarket/text-socket';

export type Answered = JsonAnswer | Throttled;

/** How a venue is made to differ: what comes from its doors, or goes there, is changed on the way. */
export interface Bend {
  /** The address that is asked, in the place of this one. */
  readonly url?: (url: string) => string;
  /** What is answered, in the place of this. */
  readonly answer?: (url: string, answer: Answered) => Answered;
  /** The texts that a socket brings, in the place of this one. */
  readonly text?: (text: string) => readonly string[];
  /** Whether the venue hears this text. */
  readonly hears?: (text: string) => boolean;
  /** With what a socket is closed on which this is said; null: it is not. */
  readonly closes?: (text: string) => string | null;
  /** With what a socket is closed that says nothing for 5 s. */
  readonly closesSilent?: string;
}

const PING = 'PING';
const PONG = 'PONG';
const SILENT_MS = 5_000;
/** With them a list has more than one page, and the first has nearly all that the venue lists. */
const BULK_MARKETS = 12;
/** Changes of each followed market at a time. */
const STEPS = 8;
/** Markets that trade before a check, and how often. */
const MARKETS_TRADED = 3;
const STEPS_BEFORE = 30;
const OF_NOW = /\/time$|\/v2\/trades/;

/**
 * The simulated venue on loopback, seen through a stub that bends it. Time does not pass by itself:
 * it goes to the end of the next wait whenever nothing is on its way, so that a check takes no
 * longer than its answers. Books move whenever a socket has subscribed, or says PING.
 */
export class BentVenue {
  readonly clock: ManualClock;
  readonly timers: ManualTimers;
  /** When calls were made, by elapsed time. */
  readonly callTimesMs: number[] = [];
  readonly #venue: LocalVenue;
  readonly #answers = new Map<string, Answered>();
  #bend: Bend = {};
  /** What was asked and is not answered yet. */
  #onTheWay = 0;

  private constructor(clock: ManualClock, venue: LocalVenue) {
    this.clock = clock;
    this.timers = new ManualTimers(clock);
    this.#venue = venue;
  }

  static async start(): Promise<BentVenue> {
    const clock = new ManualClock();
    return new BentVenue(clock, await startLocalVenue({ clock, tickMs: 0, bulkMarkets: BULK_MARKETS }));
  }

  close(): Promise<void> {
    return this.#venue.close();
  }

  /** The way to it for a check, bent like this. */
  through(bend: Bend = {}): VenueAtHand {
    this.#bend = bend;
    this.callTimesMs.length = 0;
    // There are trades of just now.
    for (const { slug } of this.#venue.markets.slice(0, MARKETS_TRADED)) this.#venue.step(STEPS_BEFORE, slug);
    const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = this.#venue;
    return {
      urls: { gamma: gammaUrl, clob: clobUrl, data: dataUrl },
      clock: this.clock,
      timers: this.timers,
      attempt: (request) => this.#attempt(request),
      channel: this.#socket(connectMarketChannel(wsUrl)),
      liveFeed: this.#socket(connectRtds(rtdsUrl)),
    };
  }

  /** Does the work while time goes from wait to wait. */
  async whileTimePasses<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    const passing = this.#passTime(() => isDone);
    return done.finally(() => passing);
  }

  async #passTime(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const dueAtMs = this.timers.nextDueAtMs;
      if (this.#onTheWay === 0 && dueAtMs !== null) this.timers.advance(Math.max(0, dueAtMs - this.clock.elapsedMs()));
      await turn();
    }
  }

  async #attempt(request: HttpRequest): Promise<Answered> {
    this.callTimesMs.push(this.clock.elapsedMs());
    const url = this.#bend.url?.(request.url) ?? request.url;
    this.#onTheWay++;
    try {
      const answer = await this.#answerOf({ ...request, url });
      return this.#bend.answer?.(request.url, answer) ?? answer;
    } finally {
      this.#onTheWay--;
    }
  }

  /** What depends on the time is asked anew; of the rest one answer does for all tests. */
  async #answerOf(request: HttpRequest): Promise<Answered> {
    const key = `${request.url} ${request.body}`;
    const known = OF_NOW.test(request.url) ? undefined : this.#answers.get(key);
    const answer = known ?? (await attemptJson(request));
    this.#answers.set(key, answer);
    return answer;
  }

  /** The markets that a subscription names; one that names none is to all, and some will do. */
  #slugsIn(text: string): readonly string[] {
    if (text === PING) return [];
    const named = this.#venue.markets.filter(({ outcomes }) => outcomes.some(({ tokenId }) => text.includes(tokenId)));
    return (named.length > 0 ? named : this.#venue.markets.slice(0, MARKETS_TRADED)).map(({ slug }) => slug);
  }

  #socket(connect: ConnectTextSocket): ConnectTextSocket {
    return (handlers) => {
      this.callTimesMs.push(this.clock.elapsedMs());
      const line = new BentLine(handlers, this.#bend, {
        timers: this.timers,
        move: (slugs) => {
          for (const slug of slugs) this.#venue.step(STEPS, slug);
        },
        slugsIn: (text) => this.#slugsIn(text),
        begins: () => this.#onTheWay++,
        ends: () => this.#onTheWay--,
      });
      return line.connect(connect);
    };
  }
}

interface LineWorld {
  readonly timers: ManualTimers;
  readonly move: (slugs: readonly string[]) => void;
  readonly slugsIn: (text: string) => readonly string[];
  readonly begins: () => void;
  readonly ends: () => void;
}

/**
 * One socket. A venue handles what it is told in order: behind each text goes a PING of our own,
 * and when its PONG comes all that was an answer has come.
 */
class BentLine {
  readonly #handlers: TextSocketHandlers;
  readonly #bend: Bend;
  readonly #world: LineWorld;
  /** Of each PING whose PONG has not come: what is to be done then; null: it is the check's own. */
  readonly #pings: ((() => void) | null)[] = [];
  readonly #slugs = new Set<string>();
  #send: (text: string) => void = () => undefined;
  #hasPinged = false;
  #isOver = false;

  constructor(handlers: TextSocketHandlers, bend: Bend, world: LineWorld) {
    this.#handlers = handlers;
    this.#bend = bend;
    this.#world = world;
  }

  connect(connect: ConnectTextSocket): ReturnType<ConnectTextSocket> {
    this.#world.begins();
    const socket = connect({
      onOpen: () => {
        this.#world.ends();
        this.#handlers.onOpen();
      },
      onText: (bytes) => this.#hear(bytes.toString('utf8')),
      onClose: (reason) => this.#end(reason),
    });
    this.#send = (text) => socket.send(text);
    return {
      send: (text) => this.#say(text),
      close: () => {
        this.#end('closed by us');
        socket.close();
      },
    };
  }

  #say(text: string): void {
    const closing = this.#bend.closes?.(text) ?? null;
    if (closing !== null) this.#end(closing);
    if (this.#isOver) return;
    if (text === PING) this.#hasPinged = true;
    else this.#watchSilence();
    if (this.#bend.hears?.(text) ?? true) {
      this.#send(text);
      if (text === PING) this.#await(null);
    }
    for (const slug of this.#world.slugsIn(text)) this.#slugs.add(slug);
    this.#fence(() => {
      this.#world.move([...this.#slugs]);
      this.#fence(() => undefined);
    });
  }

  #fence(then: () => void): void {
    this.#send(PING);
    this.#await(then);
  }

  #await(then: (() => void) | null): void {
    this.#world.begins();
    this.#pings.push(then);
  }

  #hear(text: string): void {
    if (this.#isOver) return;
    const then = text === PONG ? this.#pings.shift() : null;
    if (then === null || then === undefined)
      for (const one of this.#bent(text)) this.#handlers.onText(Buffer.from(one));
    else then();
    if (text === PONG) this.#world.ends();
  }

  #bent(text: string): readonly string[] {
    return this.#bend.text?.(text) ?? [text];
  }

  #watchSilence(): void {
    const { closesSilent } = this.#bend;
    if (closesSilent === undefined) return;
    this.#world.timers.after(SILENT_MS, () => {
      if (!this.#hasPinged) this.#end(closesSilent);
    });
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const _ of this.#pings.splice(0)) this.#world.ends();
    this.#handlers.onClose(reason);
  }
}
