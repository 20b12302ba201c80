import type { Random } from '#system/random';
import type { BookLie } from '../market/book-view.js';
import { chance, seededRandom } from '../market/seeded-random.js';
import { type Mangler, type Mangling, manglerOf } from './mangle.js';

/** The REST interfaces that can be made to fail, each on its own. */
export const REST_APIS = ['gamma', 'clob', 'data'] as const;
export type RestApi = (typeof REST_APIS)[number];

/** Where a lying book is shown: on the market channel, in REST answers, or in both. */
export type LiePlace = 'ws' | 'rest' | 'both';

/** How one REST interface answers. */
export interface RestFaults {
  down: boolean;
  hang: boolean;
  /** An edge answers in its place. */
  edge: boolean;
  slowMs: number;
  /** Spoils the rows of answers; null: they go out as they are. */
  mangler: Mangler | null;
}

/** What the faults need of the venue to take effect at once. */
export interface FaultActions {
  /** Resets every open socket (TCP RST), of the market channel and of the live trade feed. */
  dropSockets(): void;
  /** Sends a token's book to its subscribers now, as the faults in force show it. */
  resendBook(tokenId: string): void;
  /** Closes a market; throws if there is none with that slug. */
  resolveMarket(slug: string): void;
}

/**
 * Everything that can be made to go wrong with the local venue. Switches hold until they are
 * cleared; `dropSockets` and `resolveMarket` happen once.
 */
export class VenueFaults {
  readonly #actions: FaultActions;
  /** Sockets stay open and answer PING, but carry no data: the venue's own silent freeze. */
  freezeSocket = false;
  /** Sockets are accepted and then nothing comes: no PONG, no data. */
  blackholeSockets = false;
  /** New sockets are reset instead of accepted; open ones stay. */
  refuseSockets = false;
  /** Frames wait, and go out before the next one after it ends: a channel that is behind. */
  holdFrames = false;
  /** Every frame is sent twice. */
  duplicateFrames = false;
  /** Every two adjacent frames of a socket change places. */
  reorderFrames = false;
  /** Every frame is sent again after two others. */
  repeatFrames = false;
  /** Whole books on the channel lack their second best bid; their hashes are those of all levels. */
  omitLevels = false;
  /**
   * What the venue may leave out is null: hashes, most times, best prices of empty sides, and by
   * REST what a market has not.
   */
  nullFields = false;
  /** A line in words is sent before every frame. */
  textLines = false;
  /**
   * Last trade prices and price steps are announced half a second after the books and hashes that
   * have them, a trade with the time of its announcement.
   */
  lateAnnouncements = false;
  /** What a trade took is also sent as changes, before the books. */
  tradesInChanges = false;
  /** PONG comes twelve seconds late. */
  latePongs = false;
  /** A market that nobody asked for is announced with every change, on frozen sockets too. */
  newMarkets = false;
  /** First books are sent only to who asks for them in the same message (`initial_dump: true`). */
  dumpsOnRequest = false;
  /** A socket is closed with code 1013, "slow consumer", after the first frame that it is sent. */
  slowConsumers = false;
  /**
   * Markets resolve without a word: their books are empty, a socket all of whose tokens are over is
   * closed with code 1000, "all subscribed assets resolved", and the listing follows one to three
   * minutes later.
   */
  closeResolved = false;
  /**
   * `price_change` is sent in its form before 15 September 2025: one frame per token, with
   * `changes[]`.
   */
  legacyFrames = false;
  /** Broken and unknown messages are mixed in, one before every real frame. */
  garbageFrames = false;
  /** Hashes on the market channel fit no book. */
  wrongHashes = false;
  /** The live trade feed (RTDS) accepts subscriptions and answers PING, but sends no trade. */
  rtdsSilent = false;
  /** The second version of the Data API is not there: 404 for every path. */
  dataV2Missing = false;
  /** Every answer of the Data API breaks off in the middle, and the connection with it. */
  tornPages = false;
  /** Some rows of every answer of the Data API have lost fields. */
  tornRows = false;
  /** Every row of the Data API is listed twice, as two equal fills of one transaction are. */
  duplicateRows = false;
  /** Rows of a page of the Data API come in disorder. */
  shuffledRows = false;
  /**
   * A page of the second version of the Data API has this many rows at most; 0: as many as are
   * asked for.
   */
  pageRowsMax = 0;

  /**
   * The share of REST requests that an edge answers in the venue's place, and of messages and
   * answers that have null for what may be left out; 0: none.
   */
  mishaps = 0;
  readonly dice: Random;
  readonly #frozenTokens = new Set<string>();
  readonly #lies = new Map<string, { readonly lie: BookLie; readonly place: LiePlace }>();
  readonly #rest = new Map<RestApi, RestFaults>(REST_APIS.map((api) => [api, sound()]));

  constructor(actions: FaultActions, dice: Random = seededRandom(0)) {
    this.#actions = actions;
    this.dice = dice;
  }

  /** Whether a mishap happens now. No dice are rolled where there are none. */
  mishapNow(): boolean {
    return this.mishaps > 0 && chance(this.dice, this.mishaps);
  }

  /** Whether this message or answer has null for what may be left out. */
  nullsNow(): boolean {
    return this.nullFields || this.mishapNow();
  }

  /** Nothing more is sent of this token on the market channel; the others go on. */
  freezeToken(tokenId: string, frozen = true): void {
    if (frozen) this.#frozenTokens.add(tokenId);
    else this.#frozenTokens.delete(tokenId);
  }

  /** Resets every open socket once. */
  dropSockets(): void {
    this.#actions.dropSockets();
  }

  /**
   * Shows a book of 0.01 / 0.99 with nothing between, and hides the changes that would give it
   * away.
   */
  ghostBook(tokenId: string, place: LiePlace = 'ws'): void {
    this.#lieAbout(tokenId, 'ghost', place);
  }

  /** Shows a bid above the best ask until cleared. */
  crossBook(tokenId: string, place: LiePlace = 'ws'): void {
    this.#lieAbout(tokenId, 'crossed', place);
  }

  /** Shows the true book of this token again, from the next message on. */
  healBook(tokenId: string): void {
    this.#lies.delete(tokenId);
  }

  /**
   * Closes the market once: the first outcome wins if its price is above 0.5. The socket goes
   * silent, REST loses the book.
   */
  resolveMarket(slug: string): void {
    this.#actions.resolveMarket(slug);
  }

  /** Every request to this interface is answered with status 500. */
  restDown(api: RestApi, down = true): void {
    this.restFaults(api).down = down;
  }

  /** Every request to this interface is answered by an edge: 403, 404 or 429, a page of HTML. */
  restEdge(api: RestApi, edge = true): void {
    this.restFaults(api).edge = edge;
  }

  /** Requests to this interface are accepted and never answered. */
  restHang(api: RestApi, hang = true): void {
    this.restFaults(api).hang = hang;
  }

  /** Every answer of this interface waits so long first; 0 ends it. */
  restSlowMs(api: RestApi, slowMs: number): void {
    this.restFaults(api).slowMs = slowMs;
  }

  /**
   * Spoils the rows of this interface's answers in these ways, one after the other; none ends it.
   */
  mangle(api: RestApi, ways: readonly Mangling[]): void {
    this.restFaults(api).mangler = ways.length === 0 ? null : manglerOf(ways);
  }

  /** Ends every fault. What was dropped or resolved stays so. */
  clear(): void {
    for (const key of FAULT_SWITCHES) this[key] = false;
    this.pageRowsMax = 0;
    this.mishaps = 0;
    this.#frozenTokens.clear();
    this.#lies.clear();
    for (const api of REST_APIS) Object.assign(this.restFaults(api), sound());
  }

  isFrozen(tokenId: string): boolean {
    return this.#frozenTokens.has(tokenId);
  }

  /** Returns the lie planted about a token in this place, or null. */
  lieAt(tokenId: string, place: 'ws' | 'rest'): BookLie | null {
    const planted = this.#lies.get(tokenId);
    return planted !== undefined && (planted.place === place || planted.place === 'both') ? planted.lie : null;
  }

  restFaults(api: RestApi): RestFaults {
    return this.#rest.get(api) as RestFaults;
  }

  #lieAbout(tokenId: string, lie: BookLie, place: LiePlace): void {
    this.#lies.set(tokenId, { lie, place });
    if (place !== 'rest') this.#actions.resendBook(tokenId);
  }
}

type FaultSwitch = { [Key in keyof VenueFaults]: VenueFaults[Key] extends boolean ? Key : never }[keyof VenueFaults];

/** The faults that are plain switches: all fields that are true or false. */
export const FAULT_SWITCHES = Object.entries(new VenueFaults({} as FaultActions)).flatMap(([key, value]) =>
  value === false ? [key as FaultSwitch] : [],
);

function sound(): RestFaults {
  return { down: false, hang: false, edge: false, slowMs: 0, mangler: null };
}
