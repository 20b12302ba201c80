const ANSWER_MS_MAX = 8_000;

/**
 * Returns what this origin answers at a path; null if that is not an answer in JSON with
 * status 200. Never rejects.
 */
export async function askJson<T extends object>(path: string): Promise<T | null> {
  try {
    const answer = await fetch(path, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const body: unknown = await answer.json();
    return answer.status === 200 && typeof body === 'object' ? (body as T | null) : null;
  } catch {
    return null;
  }
}
