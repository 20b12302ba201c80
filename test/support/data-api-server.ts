import type { ServerResponse } from 'node:http';
import type { Fill } from '#domain/rating/fill';
import { type LoopbackServer, sendJson, startLoopbackServer } from './loopback-server.js';
import { pageV2, rowV1, rowV2 } from './trade-rows.js';

export interface DataApiOptions {
  /** Newest first. */
  readonly fills: readonly Fill[];
  /** Rows that a page has at most, however many are asked for. */
  readonly rowsPerPage: number;
  /** 1: there is no second version. */
  readonly version: 1 | 2;
  /** The first version answers 400 beyond. */
  readonly offsetMax?: number;
}

/** Two versions of a Data API over one list of trades, for tests that decide about every page. */
export interface DataApiServer extends LoopbackServer {
  /** What is listed from now on. */
  set(options: Partial<DataApiOptions>): void;
  /** Stands in for the next answers, until it returns false. */
  disturb(answer: (path: string, response: ServerResponse) => boolean): void;
}

export async function startDataApi(first: DataApiOptions): Promise<DataApiServer> {
  const server = await startLoopbackServer();
  let options = first;
  let disturb: ((path: string, response: ServerResponse) => boolean) | null = null;
  server.answer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, server.baseUrl);
    if (disturb !== null) {
      if (disturb(request.url, response)) return;
      disturb = null;
    }
    if (pathname === '/trades') answerV1(options, searchParams, response);
    else if (pathname === '/v2/trades' && options.version === 2) answerV2(options, searchParams, response);
    else sendJson(response, { error: 'not found' }, 404);
  });
  return {
    ...server,
    set: (next) => {
      options = { ...options, ...next };
    },
    disturb: (answer) => {
      disturb = answer;
    },
  };
}

function answerV1(
  { fills, rowsPerPage, offsetMax = 10_000 }: DataApiOptions,
  query: URLSearchParams,
  response: ServerResponse,
) {
  const offset = Number(query.get('offset') ?? 0);
  if (offset > offsetMax) return sendJson(response, { error: 'max historical activity offset exceeded' }, 400);
  const [start, end] = [Number(query.get('start') ?? 0), Number(query.get('end') ?? 1e12)];
  const rows = fills
    .filter(({ wallet }) => (query.get('user') ?? wallet) === wallet)
    .filter(({ condition }) => (query.get('market') ?? condition) === condition)
    .filter(({ timeS }) => timeS >= start && timeS <= end);
  const limit = Math.min(rowsPerPage, Number(query.get('limit')));
  return sendJson(response, rows.slice(offset, offset + limit).map(rowV1));
}

/**
 * As the venue does it, start and end count for wallets alone. The cursor is the place of the next
 * row.
 */
function answerV2({ fills, rowsPerPage }: DataApiOptions, query: URLSearchParams, response: ServerResponse) {
  if (query.get('offset') !== null) return sendJson(response, { error: 'offset is not supported' }, 400);
  const user = query.get('user');
  const [start, end] = user === null ? [0, 1e12] : [Number(query.get('start') ?? 0), Number(query.get('end') ?? 1e12)];
  const rows = fills
    .filter(({ wallet }) => (user ?? wallet) === wallet)
    .filter(({ condition }) => (query.get('condition') ?? condition) === condition)
    .filter(({ timeS }) => timeS >= start && timeS <= end);
  const from = Number((query.get('cursor') ?? 'at-0').slice(3));
  const page = rows.slice(from, from + Math.min(rowsPerPage, Number(query.get('limit'))));
  const next = from + page.length;
  return sendJson(response, { ...pageV2([], next < rows.length ? `at-${next}` : null), data: page.map(rowV2) });
}
