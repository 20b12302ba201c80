import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { memoryState } from '#client/state/memory';
import { clientSystem } from '#client/system';
import { pageOf, sameWanted, type Wanted, wantedBy } from '../../model/pay/bought.js';
import { Checkout } from '../../model/pay/checkout.js';
import { isAsking, isBegun, isBusy } from '../../model/pay/checkout-step.js';
import { dropUnsigned, openPurchases } from '../../model/pay/open-purchases.js';
import type { BuyProps } from './buy-props.js';
import { StepView } from './step-view.js';
import { tabStorage } from './tab-storage.js';
import { TokenField } from './token-field.js';

let isCleared = false;
const { ledger } = memoryState(clientSystem.clock);

/**
 * Everything that it takes to pay for one answer: the terms, the wallets, a token, and what came of
 * it.
 */
export function CheckoutPanel({ wanted, what, resumesAny = false, onAnswer, onBegun }: BuyProps) {
  const elsewhere = useSignal<string | null>(null);
  const storage = useMemo(tabStorage, []);
  const checkout = useMemo(
    () =>
      new Checkout({
        baseUrl: location.origin,
        storage,
        ledger,
        system: clientSystem,
        fetch: (url, init) => fetch(url, init),
        onAnswer,
      }),
    [],
  );
  useEffect(() => {
    if (!isCleared) dropUnsigned(storage);
    isCleared = true;
    const open = openPurchases(storage).flatMap((purchase) => {
      const was = wantedBy(purchase.request);
      return was === null || purchase.lane.kind !== 'x402' ? [] : [{ purchase, was }];
    });
    const ours = open.find(({ was }) => (resumesAny ? was.tool === wanted.tool : sameWanted(was, wanted)));
    const other = open.find(({ purchase, was }) => purchase !== ours?.purchase && !areBothLists(was, wanted));
    elsewhere.value = other === undefined ? null : pageOf(other.was);
    if (ours !== undefined) void checkout.resume(ours.purchase);
    else void checkout.askTerms(wanted);
    return () => checkout.end();
  }, []);

  const { value: step } = checkout.step;
  useEffect(() => onBegun?.(isBegun(step)), [step]);
  return (
    <section class="checkout card" aria-label={`Pay for ${what}`} data-step={step.kind}>
      <StepView step={step} checkout={checkout} wanted={wanted} what={what} />
      {step.kind !== 'answered' && (
        <TokenField wanted={wanted} checkout={checkout} isBusy={isBusy(step) && !isAsking(step)} />
      )}
      {elsewhere.value !== null && (
        <p class="note">
          Another payment of this tab awaits its outcome: <a href={elsewhere.value}>go on with it</a>.
        </p>
      )}
    </section>
  );
}

/** Both lists stand on one page, each with a place of its own. */
function areBothLists(...calls: readonly Wanted[]): boolean {
  return calls.every(({ tool }) => tool === 'leaderboard' || tool === 'red_list');
}
