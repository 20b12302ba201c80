import type { ConnectTextSocket, TextSocketHandlers } from '#wire/polymarket/text-socket';

/** The venue's end of one connection: what it hears, and what it says through the handlers. */
export interface FakeEnd {
  readonly handlers: TextSocketHandlers;
  readonly sent: string[];
  isClosed: boolean;
}

/** Connections whose other end is the test. */
export class FakeTextSockets {
  /** Every connection that was made, the newest last. */
  readonly ends: FakeEnd[] = [];

  readonly connect: ConnectTextSocket = (handlers) => {
    const end: FakeEnd = { handlers, sent: [], isClosed: false };
    this.ends.push(end);
    return {
      send: (text) => void end.sent.push(text),
      close: () => {
        end.isClosed = true;
      },
    };
  };

  /** The newest connection. */
  get last(): FakeEnd {
    return this.ends.at(-1)!;
  }

  /** Opens or closes the newest connection, or says a text on it; undefined does nothing. */
  act(what: string | undefined): void {
    if (what === 'open') this.last.handlers.onOpen();
    else if (what === 'close') this.last.handlers.onClose('gone');
    else if (what !== undefined) this.last.handlers.onText(Buffer.from(what));
  }
}
