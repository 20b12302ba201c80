import type { Judged } from '../../model/order/judge.js';
import { VerdictSign } from './verdict-sign.js';

/**
 * The verdict in one line, which stays at the lower edge of a small screen while the order is
 * changed. It repeats the card, so those who listen are spared it.
 */
export function VerdictBar({ judged }: { readonly judged: Judged | null }) {
  const verdict = judged?.body.verdict ?? null;
  return (
    <p class={`verdict-bar ${verdict?.toLowerCase() ?? 'none'}`} aria-hidden="true">
      <VerdictSign verdict={verdict ?? ''} />
      <strong>{verdict ?? 'No verdict'}</strong>
      {judged !== null && (
        <span>
          {judged.ticket.total.shown}
          <br />
          {/* One text: its end would be another, which moves. */}
          {`slippage ${judged.body.numbers.expected_slippage_cents}¢`}
        </span>
      )}
    </p>
  );
}
