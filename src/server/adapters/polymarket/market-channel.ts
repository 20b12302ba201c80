import WebSocket from 'ws';
import type { ConnectTextSocket, TextSocket, TextSocketHandlers } from '#wire/polymarket/text-socket';

export interface MarketChannelOptions {
  /** Until the connection is open. */
  readonly handshakeTimeoutMs?: number;
  /** The largest frame; a first dump of 250 deep books is about 1 MB. */
  readonly frameBytesMax?: number;
  /**
   * How long a closed connection may wait for the venue's goodbye; a frozen venue never says it.
   */
  readonly goodbyeTimeoutMs?: number;
}

const DEFAULTS: Required<MarketChannelOptions> = {
  handshakeTimeoutMs: 5_000,
  frameBytesMax: 4 * 1024 * 1024,
  goodbyeTimeoutMs: 1_000,
};

const USER_AGENT = 'preflight/1.0';

/**
 * Returns a function that opens one connection to the venue's market channel at each call. Frames
 * are never compressed: inflating one takes ten times as long as parsing it, and a small one could
 * inflate without end. Throws if the address is not ws: or wss:.
 */
export function connectMarketChannel(url: string, options: MarketChannelOptions = {}): ConnectTextSocket {
  if (!/^wss?:$/.test(new URL(url).protocol)) throw new TypeError(`${url} is not a ws: or wss: address`);
  const limits = { ...DEFAULTS, ...options };
  return (handlers) => connect(url, limits, handlers);
}

function connect(url: string, limits: Required<MarketChannelOptions>, handlers: TextSocketHandlers): TextSocket {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: limits.frameBytesMax,
    handshakeTimeout: limits.handshakeTimeoutMs,
    followRedirects: false,
    headers: { 'user-agent': USER_AGENT },
  });
  let reason: string | null = null;
  let closing: NodeJS.Timeout | undefined;

  socket.on('open', () => {
    if (closing === undefined) handlers.onOpen();
  });
  // The venue sends text; a binary frame with the same text in it is none the worse. Either comes
  // as a Buffer, which is the default binaryType.
  socket.on('message', (data) => {
    if (closing === undefined) handlers.onText(data as Buffer);
  });
  // An error is always followed by 'close', which alone is reported, so that it is reported once.
  socket.on('error', (error) => {
    reason ??= error.message;
  });
  socket.on('close', (code, text) => {
    clearTimeout(closing);
    handlers.onClose(reason ?? `closed (${code}${text.length > 0 ? `, ${text.toString('utf8')}` : ''})`);
  });

  return {
    send(text: string) {
      if (closing === undefined && socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      if (closing !== undefined || socket.readyState === WebSocket.CLOSED) return;
      reason ??= 'closed by us';
      closing = setTimeout(() => socket.terminate(), limits.goodbyeTimeoutMs);
      socket.close();
    },
  };
}
