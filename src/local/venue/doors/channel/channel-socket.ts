import type { WebSocket } from 'ws';
import type { VenueFaults } from '../../faults/faults.js';
import type { OutboundFrame } from '../../faults/frame-faults.js';
import { GARBAGE_FRAMES } from '../../faults/garbage.js';

/** A client that does not read is cut off when so much waits for it. */
const BUFFERED_BYTES_MAX = 16_000_000;

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

  constructor(socket: WebSocket, faults: VenueFaults) {
    this.#socket = socket;
    this.#faults = faults;
  }

  wants(frame: OutboundFrame): boolean {
    if (frame.custom && !this.customFeatures) return false;
    return frame.tokens === null || frame.tokens.some((token) => this.tokens.has(token));
  }

  /**
   * Sends a message of the market channel: not at all, twice, late or among garbage where a fault
   * says so.
   */
  deliver(text: string): void {
    if (this.#faults.freezeSocket || this.#faults.blackholeSockets) return;
    for (const each of this.#inOrder(text)) {
      if (this.#faults.garbageFrames) this.#sendNow(GARBAGE_FRAMES[this.#garbageSent++ % GARBAGE_FRAMES.length] ?? '');
      this.#sendNow(each);
      if (this.#faults.duplicateFrames) this.#sendNow(each);
    }
  }

  /** Answers a heartbeat, text or WebSocket ping, unless the socket is a black hole. */
  answerHeartbeat(answer: (socket: WebSocket) => void): void {
    if (!this.#faults.blackholeSockets) answer(this.#socket);
  }

  /** Swaps neighbours: holds every first frame back until the second has gone. */
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
