import type { LiveVerdict } from '#judge/verdict-body';
import { LIMIT_PARTS, slippagePart, type Ticket } from '../../model/order/ticket.js';
import { Bar } from '../bar.js';

interface CostBarProps {
  readonly body: LiveVerdict | null;
  readonly ticket: Ticket | null;
}

/** Slippage on a scale with the limits that it is compared with, and the fee in words. */
export function CostBar({ body, ticket }: CostBarProps) {
  const { slippage_caution_cents: cautionC = 1, slippage_veto_cents: vetoC = 3 } = body?.meta.thresholds ?? {};
  const cents = body?.numbers.expected_slippage_cents ?? 0;
  return (
    <div class="cost">
      <Bar
        parts={[
          { part: 1, kind: 'zone veto' },
          { part: LIMIT_PARTS.veto, kind: 'zone caution' },
          { part: LIMIT_PARTS.caution, kind: 'zone ok' },
          { part: slippagePart(cents, { cautionC, vetoC }), kind: 'slippage' },
        ]}
      />
      <p class="cost-limits">
        <span>Slippage</span>
        <span class="limit">{cautionC}¢ CAUTION</span>
        <span class="limit">{vetoC}¢ VETO</span>
      </p>
      <p class="cost-words">{body === null ? '–' : words(body, ticket)}</p>
    </div>
  );
}

function words({ numbers }: LiveVerdict, ticket: Ticket | null): string {
  if (ticket !== null && ticket.filled !== null) return `The book fills only ${ticket.filled.shown} of this order.`;
  return `Slippage ${numbers.expected_slippage_cents}¢ and fee ${numbers.fee_drag_cents_per_share}¢ a share.`;
}
