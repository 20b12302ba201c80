type Tone = 'ok' | 'caution' | 'veto';

/** Verdicts on orders and on wallets, by what they mean to somebody who is about to act. */
export const SIGN_TONES: ReadonlyMap<string, Tone> = new Map([
  ['OK', 'ok'],
  ['COPY', 'ok'],
  ['CAUTION', 'caution'],
  ['WATCH', 'caution'],
  ['VETO', 'veto'],
]);

const SHAPES: Readonly<Record<Tone | 'none', string>> = {
  ok: 'M5 12.5l4.5 4.5L19 7.5',
  caution: 'M12 5v9M12 18v1',
  veto: 'M6 6l12 12M18 6L6 18',
  none: 'M6 12h12',
};

/**
 * The sign of a verdict, for those who do not tell its colours apart. The word stands beside it.
 */
export function VerdictSign({ verdict }: { readonly verdict: string }) {
  const tone = SIGN_TONES.get(verdict) ?? 'none';
  return (
    <svg class="sign" data-tone={tone} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" />
      <path d={SHAPES[tone]} />
    </svg>
  );
}
