import type { OrderNumbers } from '#api/order-numbers';
import { Bar } from '../bar.js';

/** Slippage and fee in the same unit, side by side: which of the two costs more. */
export function CostBars({ numbers }: { readonly numbers: OrderNumbers | null }) {
  const slippage = numbers?.expected_slippage_cents ?? 0;
  const fee = numbers?.fee_drag_cents_per_share ?? 0;
  const larger = Math.max(slippage, fee, Number.MIN_VALUE);
  return (
    <>
      <dl class="costs">
        <Cost name="Slippage, ¢" kind="slippage" cents={numbers && slippage} part={slippage / larger} />
        <Cost name="Fee, ¢" kind="fee" cents={numbers && fee} part={fee / larger} />
      </dl>
      <p class="dearer">{numbers === null ? '–' : dearer(slippage, fee)}</p>
    </>
  );
}

interface CostProps {
  readonly name: string;
  readonly kind: string;
  readonly cents: number | null;
  readonly part: number;
}

function Cost({ name, kind, cents, part }: CostProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Bar parts={[{ part, kind }]} />
        <span class="number">{cents ?? '–'}</span>
      </dd>
    </div>
  );
}

function dearer(slippage: number, fee: number): string {
  if (slippage === fee) return slippage === 0 ? 'Neither slippage nor a fee.' : 'Slippage and fee cost the same.';
  return slippage > fee ? 'Slippage costs more than the fee.' : 'The fee costs more than slippage.';
}
