import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import type { ConnectTextSocket, TextSocket } from '#wire/polymarket/text-socket';
import { NotAsked } from './asker.js';
import { FIRST_BOOKS_MS, PING_EVERY_MS } from './limits.js';

/** One text that came over a socket, and when by wall time. */
export interface HeardText {
  readonly text: string;
  readonly atMs: number;
}

export interface TalkOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

/** A socket of the venue with all that was heard on it. */
export class Talk {
  readonly #options: TalkOptions;
  readonly #socket: TextSocket;
  #wake: () => void = () => undefined;
  readonly heard: HeardText[] = [];
  isOpen = false;
  /** Why the venue closed it; null while it did not. */
  closed: string | null = null;

  private constructor(connect: ConnectTextSocket, options: TalkOptions) {
    this.#options = options;
    let isClosedByUs = false;
    const socket = connect({
      onOpen: () => {
        this.isOpen = true;
        this.#wake();
      },
      onText: (bytes) => {
        this.heard.push({ text: bytes.toString('utf8'), atMs: options.clock.nowMs() });
        this.#wake();
      },
      onClose: (reason) => {
        if (!isClosedByUs) this.closed = reason;
        this.#wake();
      },
    });
    this.#socket = {
      send: (text) => socket.send(text),
      close: () => {
        isClosedByUs = true;
        socket.close();
      },
    };
  }

  /** Rejects with NotAsked where the socket does not open. */
  static async open(connect: ConnectTextSocket, options: TalkOptions): Promise<Talk> {
    const talk = new Talk(connect, options);
    const isOpen = await talk.until(() => talk.isOpen, FIRST_BOOKS_MS);
    if (isOpen) return talk;
    talk.close();
    throw new NotAsked(`the socket did not open: ${talk.closed ?? 'no answer'}`);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }

  /**
   * Waits until something is so, and at most so long. Resolves with whether it is; a socket that is
   * closed brings nothing more.
   */
  until(isSo: () => boolean, ms: number): Promise<boolean> {
    const { timers, signal } = this.#options;
    return new Promise((resolve) => {
      const look = () => {
        if (isSo() || this.closed !== null || signal.aborted) end();
      };
      const end = () => {
        cancel();
        signal.removeEventListener('abort', look);
        this.#wake = () => undefined;
        resolve(isSo());
      };
      const cancel = timers.after(ms, end);
      signal.addEventListener('abort', look, { once: true });
      this.#wake = look;
      look();
    });
  }

  /** The same for a longer while, with what keeps the socket open said now and then. */
  async untilWith(ping: string, isSo: () => boolean, ms: number): Promise<boolean> {
    for (let leftMs = ms; leftMs > 0 && this.closed === null; leftMs -= PING_EVERY_MS) {
      if (await this.until(isSo, Math.min(leftMs, PING_EVERY_MS))) return true;
      this.send(ping);
    }
    return isSo();
  }
}
