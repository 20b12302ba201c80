import { type IncomingMessage, request } from 'node:http';
import { childOptions, serveParent } from '#tools/bench/support/children';

/** Who asks for streams, and of what. */
export interface CrowdOptions {
  readonly url: string;
  readonly paths: readonly string[];
  readonly streams: number;
  /** Each asks for as many as the others. */
  readonly addresses: number;
  /** How many of those that are open are never read. */
  readonly deaf: number;
}

/**
 * How those who asked were answered, by status; `wrong` are refusals that are not JSON or do not
 * say when to come again.
 */
export interface CrowdAnswers {
  readonly statuses: Readonly<Record<number, number>>;
  readonly wrong: readonly string[];
  /** The most that one address has open. */
  readonly mostOfOne: number;
}

export interface CrowdSeen {
  readonly open: number;
  readonly events: number;
  readonly bytes: number;
}

const { url, paths, streams, addresses, deaf } = childOptions<CrowdOptions>();
/** More would be refused for other reasons: so many requests do not wait at once. */
const AT_ONCE = 50;
const statuses: Record<number, number> = {};
const wrong: string[] = [];
const openOf = new Map<string, number>();
let open = 0;
let events = 0;
let bytes = 0;

/** Addresses take turns, as customers who know nothing of each other do. */
for (let n = 0; n < streams; n += AT_ONCE) {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => ask(n + k)));
  for (const { address, answer } of answers) await take(address, answer);
}

function ask(n: number): Promise<{ readonly address: string; readonly answer: IncomingMessage }> {
  const address = `198.51.${n % addresses}.1`;
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': address };
    const sent = request(url + paths[n % paths.length]!, { headers, agent: false }, (answer) =>
      resolve({ address, answer }),
    );
    sent.on('error', reject).end();
  });
}

async function take(address: string, answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode!;
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status !== 200) {
    const text = Buffer.concat(await answer.toArray()).toString();
    const isWhole = JSON.parse(text).code === 'rate_limited' && Number(answer.headers['retry-after']) >= 1;
    if (!isWhole) wrong.push(text);
    return;
  }
  open++;
  openOf.set(address, (openOf.get(address) ?? 0) + 1);
  answer.on('error', () => undefined).once('close', () => open--);
  if (open <= deaf) return;
  answer.on('data', (part: Buffer) => {
    bytes += part.length;
    if (part.includes('event: ')) events++;
  });
}

const mostOfOne = Math.max(...openOf.values());
serveParent(
  { statuses, wrong, mostOfOne } satisfies CrowdAnswers,
  { seen: () => ({ open, events, bytes }) satisfies CrowdSeen },
  async () => undefined,
);
