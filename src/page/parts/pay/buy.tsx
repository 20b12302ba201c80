import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { PRICES, toPriceText } from '#api/prices';
import { mayBeOpen } from '../../model/pay/open-key.js';
import type { BuyProps } from './buy-props.js';
import { tabStorage } from './tab-storage.js';

/**
 * One obvious place to pay for one answer. What it takes to pay (the client with its rules,
 * wallets) is loaded when it is first wanted, or when a payment of this tab is still open.
 */
export function Buy(props: BuyProps) {
  const { tool } = props.wanted;
  const panel = useSignal<{ readonly Panel: ComponentType<BuyProps> } | null>(null);
  const state = useSignal<'closed' | 'loading' | 'missing'>('closed');
  const open = async () => {
    state.value = 'loading';
    try {
      panel.value = { Panel: (await import('./checkout-panel.js')).CheckoutPanel };
    } catch {
      state.value = 'missing';
    }
  };
  useEffect(() => {
    if (mayBeOpen(tabStorage(), tool)) void open();
  }, [tool]);

  if (panel.value !== null) return <panel.value.Panel {...props} />;
  return (
    <p class="buy">
      <button type="button" class="main" disabled={state.value === 'loading'} onClick={open}>
        Pay {toPriceText(PRICES[tool].amountMicros)} USDC
      </button>
      <span class="faint">
        for {props.what}, or {PRICES[tool].credits} of your credits. You see all terms before anything is signed.
      </span>
      {state.value === 'missing' && <span role="alert">What it takes to pay could not be loaded: try again.</span>}
    </p>
  );
}
