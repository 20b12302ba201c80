import { Problem } from '#domain/errors';
import { callerOf, type DoorRequest } from '#doors/request';
import type { Answer, Route } from '#doors/route';
import type { Demo, OpenStream } from '#services/demo/demo';
import { EVENT_STREAM, type EventStreams } from '../streams/event-streams.js';
import type { StreamSlots } from '../streams/stream-slots.js';
import { codedText } from './coded.js';

/** How long a list may be kept: a market that closes is told by its stream as well. */
const MARKETS_CACHE_S = 15;

export interface DemoRouteDeps {
  readonly demo: Pick<Demo, 'marketsText' | 'find'>;
  readonly streams: EventStreams;
  readonly slots: StreamSlots;
  /** Whether no new stream is begun. */
  readonly draining: () => boolean;
}

/** GET /demo/markets and the event stream of each of their books (docs/page.md, "Demo lane"). */
export function demoRoutes({ demo, streams, slots, draining }: DemoRouteDeps): readonly Route[] {
  const markets = codedText(() => demo.marketsText(), MARKETS_CACHE_S);
  return [
    { path: '/demo/markets', methods: { GET: markets } },
    {
      path: '/demo/books/:token_id/events',
      methods: {
        async GET(req) {
          const open = await streamOf(demo, req);
          if (draining())
            throw new Problem('shutting_down', 'the service is restarting: open the stream again in a few seconds');
          return streams.answer(open, await slots.take(callerOf(req)));
        },
        // A GET without its body would have no end.
        async HEAD(req): Promise<Answer> {
          await streamOf(demo, req);
          return { status: 200, body: '', contentType: EVENT_STREAM };
        },
      },
    },
  ];
}

async function streamOf(demo: Pick<Demo, 'find'>, { params }: DoorRequest): Promise<OpenStream> {
  const open = await demo.find(params?.token_id ?? '');
  if (open === null) {
    throw new Problem('not_found', 'this token is none of those that can be watched for free: /demo/markets has them');
  }
  return open;
}
