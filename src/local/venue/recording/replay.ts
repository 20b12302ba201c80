import type { Clock } from '#system/clock';
import { bookFrame, type ChannelFrame, tickSizeFrame } from '../frames/frames.js';
import { hashOf } from '../market/book-view.js';
import type { Recording } from './form.js';
import { type PlayableFrame, playableFrames } from './recorded-frames.js';
import type { ReplayBooks } from './replay-books.js';

/** How a recording is played. */
export interface ReplayOptions {
  readonly recording: Recording;
  /** 1 (default) is the pace at which it was recorded; 0 plays only when the venue is stepped. */
  readonly speed?: number;
  /** true (default): timestamps are of now, and hashes are made to fit. false: both as recorded. */
  readonly rebase?: boolean;
}

/** Frames that are overdue are sent in groups of so many, so that other work gets its turn. */
const BURST_MAX = 500;
/** Between the end of the recording and its beginning. */
const LOOP_PAUSE_MS = 1_000;

/** Plays a recording over and over: into the books that REST shows, and to the market channel. */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #books: ReadonlyMap<string, ReplayBooks>;
  readonly #clock: Clock;
  readonly #publish: (frame: ChannelFrame) => void;
  #at = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastTimestampMs = 0;
  readonly #speed: number;
  readonly #rebase: boolean;

  constructor(
    options: ReplayOptions,
    books: ReadonlyMap<string, ReplayBooks>,
    clock: Clock,
    publish: (frame: ChannelFrame) => void,
  ) {
    this.#options = options;
    this.#books = books;
    this.#clock = clock;
    this.#publish = publish;
    this.#speed = options.speed ?? 1;
    this.#rebase = options.rebase ?? true;
    this.#showFirstBooks();
  }

  start(): void {
    if (this.#speed > 0) this.#wait(this.#clock.nowMs(), 0);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Plays the next frames, beginning again at the end. */
  step(count: number): void {
    for (let played = 0; played < count; played++) this.#playNext();
  }

  /**
   * Before the first frame is played there is a book for everyone who asks: the first one recorded
   * of each token.
   */
  #showFirstBooks(): void {
    const shown = new Set<string>();
    for (const { text } of this.#options.recording.frames) {
      for (const frame of playableFrames(text) ?? []) {
        if (frame.event_type !== 'book' || shown.has(frame.asset_id)) continue;
        shown.add(frame.asset_id);
        this.#books.get(frame.market)?.apply(frame, this.#timestampFor(frame));
      }
    }
  }

  /**
   * Waits until the next frame is due, plays all that are, and waits again. `startedMs` is when the
   * round began.
   */
  #wait(startedMs: number, pauseMs: number): void {
    const { frames } = this.#options.recording;
    const firstMs = frames[0]?.atMs ?? 0;
    const dueMs = startedMs + pauseMs + ((frames[this.#at]?.atMs ?? firstMs) - firstMs) / this.#speed;
    this.#timer = setTimeout(() => this.#playDue(startedMs + pauseMs), Math.max(0, dueMs - this.#clock.nowMs()));
  }

  #playDue(startedMs: number): void {
    const { frames } = this.#options.recording;
    const firstMs = frames[0]?.atMs ?? 0;
    const reachedMs = firstMs + (this.#clock.nowMs() - startedMs) * this.#speed;
    for (let burst = 0; burst < BURST_MAX; burst++) {
      const next = frames[this.#at];
      if (next === undefined || (burst > 0 && next.atMs > reachedMs)) break;
      this.#playNext();
      if (this.#at === 0) break;
    }
    if (this.#at === 0) this.#wait(this.#clock.nowMs(), LOOP_PAUSE_MS);
    else this.#wait(startedMs, 0);
  }

  #playNext(): void {
    const { frames } = this.#options.recording;
    const text = frames[this.#at]?.text ?? '';
    this.#at = (this.#at + 1) % frames.length;
    for (const frame of playableFrames(text) ?? []) this.#play(frame);
  }

  #play(frame: PlayableFrame): void {
    const books = this.#books.get(frame.market);
    if (books === undefined) return;
    const timestampMs = this.#timestampFor(frame);
    const refined = books.apply(frame, timestampMs);
    if (refined !== null) {
      for (const outcome of [0, 1] as const) this.#publish(tickSizeFrame(books.view(outcome), refined.oldTickSize));
    }
    this.#publish(this.#rebase ? rebased(frame, books, timestampMs) : frame);
  }

  #timestampFor(frame: PlayableFrame): number {
    if (!this.#rebase) return Number(frame.timestamp);
    this.#lastTimestampMs = Math.max(this.#clock.nowMs(), this.#lastTimestampMs);
    return this.#lastTimestampMs;
  }
}

/**
 * Returns the message as the venue would send it now: its timestamp, and hashes of the books as
 * they are now.
 */
function rebased(frame: PlayableFrame, books: ReplayBooks, timestampMs: number): ChannelFrame {
  const timestamp = String(timestampMs);
  if (frame.event_type === 'book') {
    const outcome = books.outcomeOf(frame.asset_id) ?? 0;
    return bookFrame(books.view(outcome), frame.tick_size !== undefined);
  }
  if (frame.event_type !== 'price_change') return { ...frame, timestamp };
  const entries = frame.price_changes.map((entry) => {
    const outcome = books.outcomeOf(entry.asset_id);
    return outcome === null ? entry : { ...entry, hash: hashOf(books.view(outcome)) };
  });
  return { ...frame, price_changes: entries, timestamp };
}
