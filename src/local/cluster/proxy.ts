import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';

/** As large as the service takes them, and more: it shall be the one that refuses. */
const HEADER_BYTES_MAX = 256 * 1_024;
const CONNECT_MS_MAX = 1_000;
/**
 * Of one connection alone, and not to be passed on (RFC 9110, 7.6.1). The framing of a body is
 * kept, Node makes it anew.
 */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te']);
const FORWARDED_FOR = 'x-forwarded-for';

/** A replica that requests can be sent to. */
export interface Target {
  readonly id: string;
  readonly port: number;
  /** What does not is asked only if none does. */
  readonly isWell: boolean;
}

/**
 * Returns a proxy, not yet listening, that sends each request to the next of the replicas on
 * loopback and says in X-Served-By which one answered. Another one is tried only if the first takes
 * no connection: then not a byte was sent, and nothing was done.
 */
export function createProxy(targets: () => readonly Target[]): Server {
  let turn = 0;
  return createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (req, res) => {
    void serve(req, res, inTurn(targets(), turn++));
  });
}

/**
 * Returns whom to ask, one after the other: each is first as often as the others, and what is
 * unwell comes last.
 */
export function inTurn(targets: readonly Target[], turn: number): readonly Target[] {
  const well = targets.filter(({ isWell }) => isWell);
  const first = well.length === 0 ? 0 : turn % well.length;
  return [...well.slice(first), ...well.slice(0, first), ...targets.filter(({ isWell }) => !isWell)];
}

async function serve(req: IncomingMessage, res: ServerResponse, targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    const upstream = await connect(req, target);
    if (res.destroyed) return void upstream?.destroy();
    if (upstream !== null) return passOn(req, res, upstream, target);
  }
  refuse(res, 'no replica takes connections: nothing was sent, and nothing was charged; try again in a second');
}

/**
 * Returns a request that is connected and has sent nothing yet; null if the replica takes no
 * connection.
 */
function connect(req: IncomingMessage, { port }: Target): Promise<ClientRequest | null> {
  const upstream = request({
    host: '127.0.0.1',
    port,
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    headers: requestHeaders(req),
    maxHeaderSize: HEADER_BYTES_MAX,
    // A connection each: one that was kept may be closed by the other side while we write to it.
    agent: false,
  });
  return new Promise((resolve) => {
    const giveUp = () => {
      upstream.destroy();
      resolve(null);
    };
    const limit = setTimeout(giveUp, CONNECT_MS_MAX);
    upstream.on('error', giveUp);
    upstream.once('socket', (socket) =>
      socket.once('connect', () => {
        clearTimeout(limit);
        upstream.off('error', giveUp);
        resolve(upstream);
      }),
    );
    upstream.once('close', () => clearTimeout(limit));
  });
}

/** Streams both ways. Who goes away takes the other side along. */
function passOn(req: IncomingMessage, res: ServerResponse, upstream: ClientRequest, { id }: Target): void {
  upstream.on('response', (answer) => {
    res.writeHead(answer.statusCode!, answer.statusMessage, [...endToEnd(answer), 'X-Served-By', id]);
    answer.pipe(res);
    answer.on('error', () => res.destroy());
  });
  upstream.on('error', () => {
    if (res.headersSent) return void res.destroy();
    refuse(res, `replica ${id} ended before it answered: repeat with the same payment or Idempotency-Key`, id);
  });
  res.once('close', () => upstream.destroy());
  req.pipe(upstream);
}

function requestHeaders(req: IncomingMessage): string[] {
  const caller = req.socket.remoteAddress ?? '';
  const before = req.headers[FORWARDED_FOR];
  const forwarded = before === undefined ? caller : `${before}, ${caller}`;
  return [...endToEnd(req), 'X-Forwarded-For', forwarded];
}

/** The headers as they came, names and repetitions included, but for those of this connection. */
function endToEnd({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1 || HOP_BY_HOP.has(name.toLowerCase()) || name.toLowerCase() === FORWARDED_FOR) return [];
    return [name, rawHeaders[at + 1]!];
  });
}

function refuse(res: ServerResponse, error: string, id?: string): void {
  const body = JSON.stringify({ error, code: 'no_replica' });
  const served = id === undefined ? {} : { 'X-Served-By': id };
  res.writeHead(502, { 'Content-Type': 'application/json', 'Retry-After': '1', ...served });
  res.end(body);
}
