import { type EvidenceJwks, parseJwks } from '#client/evidence/jws';
import { exchange } from '#client/http/http';
import { clientSystem } from '#client/system';

/** The keys of the service that this page is of, or why there are none. */
export type ServiceKeys =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly jwks: EvidenceJwks; readonly atMs: number }
  | { readonly kind: 'missing'; readonly why: string };

const ASK_MS_MAX = 10_000;

/** Asks this origin for its keys: the one request of the page. Never rejects. */
export async function askServiceKeys(): Promise<ServiceKeys> {
  const url = `${location.origin}/.well-known/jwks.json`;
  try {
    const signal = AbortSignal.timeout(ASK_MS_MAX);
    const { status, text } = await exchange(
      (to, init) => fetch(to, init),
      { method: 'GET', url, body: null },
      {},
      signal,
    );
    const jwks = status === 200 ? parseJwks(text) : null;
    if (jwks === null) return { kind: 'missing', why: `${url} answered ${status} without a set of keys.` };
    return { kind: 'known', jwks, atMs: clientSystem.clock.nowMs() };
  } catch {
    return { kind: 'missing', why: `${url} did not answer.` };
  }
}
