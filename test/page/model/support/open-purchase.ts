import type { Purchase, X402Purchase } from '#client/state/purchase';
import type { Demand } from '#client/terms/demand';

interface Given {
  readonly id?: string;
  readonly validBeforeS?: number;
  readonly signature?: string | null;
  readonly url?: string;
}

/** A purchase of a page as it is kept. */
export function x402Purchase(given: Given = {}): Purchase & { readonly lane: X402Purchase } {
  const { id = 'one', validBeforeS = 1_784_000_120, signature = '0xsigned' } = given;
  const { url = 'https://one.example/api/leaderboard' } = given;
  const payer = `0x${'cc'.repeat(20)}`;
  const authorization = {
    from: payer,
    to: `0x${'11'.repeat(20)}`,
    value: '20000',
    validAfter: '0',
    validBefore: String(validBeforeS),
    nonce: `0x${'00'.repeat(32)}`,
  } as unknown as X402Purchase['authorization'];
  return {
    version: 1,
    id,
    payer,
    requestId: `request of ${id}`,
    request: { method: 'GET', url, body: null },
    begunAtMs: 0,
    lane: { kind: 'x402', demand: {} as Demand, authorization, signature },
  };
}

/** The storage of a tab. */
export function tabStorage() {
  const stored = new Map<string, string>();
  return {
    kept: stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  };
}
