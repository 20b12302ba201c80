import { asObject } from '#domain/json';

/** What a script learns from how the command ended. Stable. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  refused: 3,
  unknown: 4,
  caution: 10,
  veto: 20,
  unrated: 30,
} as const;

const BY_VERDICT: ReadonlyMap<unknown, number> = new Map([
  ['OK', EXIT.ok],
  ['COPY', EXIT.ok],
  ['CAUTION', EXIT.caution],
  ['WATCH', EXIT.caution],
  ['VETO', EXIT.veto],
  ['QUEUED', EXIT.unrated],
  ['NO_COVERAGE', EXIT.unrated],
]);

/**
 * Returns the exit code of an answer that has a verdict. What is not to be acted upon, an old
 * answer or an example, is never 0; what is no verdict at all is a failure.
 */
export function exitOfAnswer({ body, stale }: { readonly body: unknown; readonly stale: boolean }): number {
  const received = asObject(body);
  const code = BY_VERDICT.get(received?.verdict) ?? EXIT.failure;
  return code === EXIT.ok && whyNotToActUpon(received, stale) !== null ? EXIT.caution : code;
}

/**
 * Returns why a good verdict is not to be acted upon, in the word that stands in its reasons; null
 * if nothing is.
 */
export function whyNotToActUpon(body: unknown, stale: boolean): 'stale' | 'example' | null {
  if (asObject(body)?.sandbox === true) return 'example';
  return stale ? 'stale' : null;
}
