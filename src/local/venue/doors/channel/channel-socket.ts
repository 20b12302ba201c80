import type { WebSocket } from 'ws';
import type { VenueFaults } from '../../faults/faults.js';
import type { OutboundFrame } from '../../faults/frame-faults.js';
import { GARBAGE_FRAMES } from '../../faults/garbage.js';

/** A client that does not read is cut off when so much waits for it. */
const BUFFERED_BYTES_MAX = 16_000_000;
/** Frames that wait at most; one more lets all of them go. */
const WAITING_MAX = 10_000;
/** A frame that is sent again comes after so many others. */
const REPEATED_AFTER = 2;
/** A PONG that waits behind data. */
const LATE_PONG_MS = 12_000;
const TEXT_LINE = 'INVALID OPERATION';

/**
 * One client of the market channel: what it wants, and how frames reach it under the faults in
 * force.
 */
export class ChannelSocket {
  readonly #socket: WebSocket;
  readonly #faults: VenueFaults;
  readonly tokens = new Set<string>();
  customFeatures = false;
  #held: string | null = null;
  #garbageSent = 0;
  readonly #waiting: string[] = [];
  /** Frames that are to be sent again. */
  #repeats: string[] = [];

  constructor(socket: WebSocket, faults: VenueFaults) {
    this.#socket = socket;
    this.#faults = faults;
  }

  wants(frame: OutboundFrame): boolean {
    if (frame.custom && !this.customFeatures) return false;
    return frame.tokens === null || frame.tokens.some((token) => this.tokens.has(token));
  }

  /**
   * Sends a message of the market channel: not at all, twice, late or among other things where a
   * fault says so.
   */
  deliver(text: string): void {
    if (this.#faults.freezeSocket || this.#faults.blackholeSockets) return;
    this.#waiting.push(text);
    if (this.#faults.holdFrames && this.#waiting.length <= WAITING_MAX) return;
    for (const waiting of this.#waiting.splice(0)) this.#deliverNow(waiting);
  }

  #deliverNow(text: string): void {
    for (const each of this.#inOrder(text)) {
      if (this.#faults.garbageFrames) this.#sendNow(GARBAGE_FRAMES[this.#garbageSent++ % GARBAGE_FRAMES.length] ?? '');
      if (this.#faults.textLines) this.#sendNow(TEXT_LINE);
      this.#sendNow(each);
      if (this.#faults.duplicateFrames) this.#sendNow(each);
      this.#repeat(each);
    }
    if (this.#faults.slowConsumers) this.close(1013, 'slow consumer');
  }

  /** Sends what is for everybody who asked for custom features; a freeze is of books alone. */
  announce(text: string): void {
    if (this.customFeatures && !this.#faults.blackholeSockets) this.#sendNow(text);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Answers a heartbeat, text or WebSocket ping, unless the socket is a black hole. */
  answerHeartbeat(answer: (socket: WebSocket) => void): void {
    if (this.#faults.blackholeSockets) return;
    if (this.#faults.latePongs) setTimeout(() => answer(this.#socket), LATE_PONG_MS).unref();
    else answer(this.#socket);
  }

  #repeat(text: string): void {
    if (!this.#faults.repeatFrames) {
      this.#repeats = [];
      return;
    }
    this.#repeats.push(text);
    if (this.#repeats.length > REPEATED_AFTER) this.#sendNow(this.#repeats.shift()!);
  }

  /** Swaps neighbors: holds every first frame back until the second has gone. */
  #inOrder(text: string): string[] {
    const held = this.#held;
    if (this.#faults.reorderFrames && held === null) {
      this.#held = text;
      return [];
    }
    this.#held = null;
    if (held === null) return [text];
    return this.#faults.reorderFrames ? [text, held] : [held, text];
  }

  #sendNow(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BUFFERED_BYTES_MAX) this.#socket.terminate();
    else this.#socket.send(text);
  }
}
