/**
 * What a caller of a text socket wants to hear. `onClose` is called exactly once, also if the
 * connection never opened.
 */
export interface TextSocketHandlers {
  readonly onOpen: () => void;
  /** The bytes of one text, which are theirs only until this returns. */
  readonly onText: (bytes: Buffer) => void;
  readonly onClose: (reason: string) => void;
}

/** A connection that is open or on its way; `send` before `onOpen` and after `close` is dropped. */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

/** Opens a connection. Streams take this as a function, so that they know nothing of sockets. */
export type ConnectTextSocket = (handlers: TextSocketHandlers) => TextSocket;
