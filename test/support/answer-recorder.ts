import type { SeenAnswer } from './answer-rules.js';

type Fetch = typeof globalThis.fetch;

/** Every answer of the service has this header, and nobody else's has. */
const MARK = 'x-api-version';
/** Longer bodies are let through unread. */
export const BODY_BYTES_MAX = 1_000_000;
/** Different breaches that are kept; a suite with more of them is told enough. */
const BREACHES_MAX = 100;
/** How long the end of a suite waits for answers that are still being read. */
const LAST_WAIT_MS = 5_000;

/** What was seen so far. */
interface AnswerReport {
  /** Answers that were compared with their description. */
  readonly compared: number;
  /** Answers that were not: too long, or cut off by a kill or an abort. */
  readonly passedOver: number;
  /** Each different breach once, with how often it was seen. */
  readonly breaches: readonly string[];
}

/** Looks at the answers of the service on their way to whoever asked, who notices nothing. */
export interface AnswerRecorder {
  readonly fetch: Fetch;
  /** Waits for what is still being read, and says what was seen. */
  report(): Promise<AnswerReport>;
}

/**
 * Returns a fetch that compares every answer of the service with its description. `loadRules` is
 * asked once, at the first such answer: making the document takes longer than many a test.
 */
export function createAnswerRecorder(
  fetch: Fetch,
  loadRules: () => Promise<(answer: SeenAnswer) => readonly string[]>,
): AnswerRecorder {
  const reading = new Set<Promise<void>>();
  const breaches = new Map<string, number>();
  let rules: ReturnType<typeof loadRules> | null = null;
  let compared = 0;
  let passedOver = 0;

  async function read(method: string, url: string, answer: Response): Promise<void> {
    const text = await answer.text().catch(() => null);
    if (text === null) {
      passedOver++;
      return;
    }
    rules ??= loadRules();
    const seen = { method, path: new URL(url).pathname, status: answer.status, headers: answer.headers, text };
    for (const fault of (await rules)(seen)) note(`${method} ${seen.path} ${answer.status}: ${fault}`);
    compared++;
  }

  function note(breach: string): void {
    if (breaches.has(breach) || breaches.size < BREACHES_MAX) breaches.set(breach, (breaches.get(breach) ?? 0) + 1);
  }

  function follow(work: Promise<void>): void {
    reading.add(work);
    work.catch((error: Error) => note(`the comparison failed: ${error.message}`)).finally(() => reading.delete(work));
  }

  return {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (!answer.headers.has(MARK)) return answer;
      if (Number(answer.headers.get('content-length')) > BODY_BYTES_MAX) passedOver++;
      else follow(read(methodOf(input, init), answer.url || urlOf(input), answer.clone()));
      return answer;
    },
    async report() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_WAIT_MS);
      });
      await Promise.race([Promise.allSettled(reading), enough]);
      clearTimeout(timer);
      passedOver += reading.size;
      return { compared, passedOver, breaches: [...breaches].map(([breach, count]) => `${breach} (${count} times)`) };
    },
  };
}

function methodOf(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): string {
  return (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
}

function urlOf(input: Parameters<Fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}
