import type { Verdict } from '#api/order-numbers';

const SHAPES: Readonly<Record<Verdict, string>> = {
  OK: 'M5 12.5l4.5 4.5L19 7.5',
  CAUTION: 'M12 5v9M12 18v1',
  VETO: 'M6 6l12 12M18 6L6 18',
};

/** The sign of a verdict, for those who do not tell its colours apart. The word stands beside it. */
export function VerdictSign({ verdict }: { readonly verdict: Verdict }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" />
      <path d={SHAPES[verdict]} />
    </svg>
  );
}
