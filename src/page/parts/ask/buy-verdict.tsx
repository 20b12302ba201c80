import { useSignal } from '@preact/signals';
import { type BoughtOrder, boughtOrder } from '../../model/ask/bought-order.js';
import type { Wanted } from '../../model/pay/bought.js';
import { Buy } from '../pay/buy.js';
import { BoughtVerdict } from './bought-verdict.js';

interface BuyVerdictProps {
  readonly wanted: Wanted;
  readonly resumesAny?: boolean;
}

/** Pays for one verdict, and shows it. */
export function BuyVerdict({ wanted, resumesAny = false }: BuyVerdictProps) {
  const bought = useSignal<BoughtOrder | 'none' | 'unreadable'>('none');
  const { value: shown } = bought;
  return (
    <>
      <Buy
        wanted={wanted}
        what="this one verdict"
        resumesAny={resumesAny}
        onAnswer={(answer) => {
          bought.value = boughtOrder(answer) ?? 'unreadable';
        }}
      />
      {shown === 'unreadable' && (
        <p class="note" data-tone="veto" role="alert">
          What came is not a verdict of this service, so it is not shown.
        </p>
      )}
      {typeof shown === 'object' && <BoughtVerdict {...shown} />}
    </>
  );
}
