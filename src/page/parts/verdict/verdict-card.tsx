import type { Side } from '#domain/market';
import type { Judged } from '../../model/order/judge.js';
import { CostBar } from './cost-bar.js';
import { MoneyTicket } from './money-ticket.js';
import { VerdictSign } from './verdict-sign.js';

interface VerdictCardProps {
  readonly judged: Judged | null;
  readonly side: Side;
  /** Why there is no verdict, when there is none. */
  readonly why: string;
  /** What there is to say of the book: where it is from, whether it is live. */
  readonly origin: string;
  readonly onSafeSize: (usd: number) => void;
}

/**
 * The answer: its word with sign and colour, why, what it costs, and the way to a size that is
 * safe.
 */
export function VerdictCard({ judged, side, why, origin, onSafeSize }: VerdictCardProps) {
  const numbers = judged?.body.numbers ?? null;
  const verdict = judged?.body.verdict ?? null;
  return (
    <section class={`card verdict ${verdict?.toLowerCase() ?? 'none'}`} aria-labelledby="verdict-title">
      <h2 id="verdict-title">Verdict {origin}</h2>
      <p class="word" id="verdict">
        {verdict !== null && <VerdictSign verdict={verdict} />}
        <strong>{verdict ?? 'No verdict'}</strong>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <section class="reasons" aria-label="Reasons" tabIndex={0}>
        {judged === null ? <p>{why}</p> : <Reasons reasons={judged.body.reasons} />}
        {judged !== null && <p class="note">{judged.body.meta.thresholds.note}</p>}
      </section>
      <MoneyTicket ticket={judged?.ticket ?? null} side={side} />
      <CostBar body={judged?.body ?? null} ticket={judged?.ticket ?? null} />
      <SafeSize usd={numbers?.safe_size_usd ?? null} onUse={onSafeSize} />
    </section>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    // Other reasons are another list: no line of it has moved.
    <ul key={reasons.join()}>
      {reasons.map((reason) => (
        <li>{reason}</li>
      ))}
    </ul>
  );
}

function SafeSize({ usd, onUse }: { readonly usd: number | null; readonly onUse: (usd: number) => void }) {
  const isNone = usd === null || usd === 0;
  return (
    <div class="safe">
      <span>
        Safe size
        <b class="number">{usd === null ? '–' : `${usd} USD`}</b>
      </span>
      <button type="button" id="use-safe-size" aria-disabled={isNone} onClick={() => isNone || onUse(usd)}>
        Use safe size
      </button>
    </div>
  );
}
