import { useSignal } from '@preact/signals';
import { PRICES } from '#api/prices';
import { walletOfToken } from '#client/purchase/spender';
import type { Wanted } from '../../model/pay/bought.js';
import type { Checkout } from '../../model/pay/checkout.js';
import { tabToken } from '../../model/pay/tab-token.js';

interface TokenFieldProps {
  readonly wanted: Wanted;
  readonly checkout: Checkout;
  /** Something is under way: the field keeps its place, and waits. */
  readonly isBusy: boolean;
}

/** Spends credits in place of a payment. The token stays in the memory of this page. */
export function TokenField({ wanted, checkout, isBusy }: TokenFieldProps) {
  const typed = useSignal('');
  const fault = useSignal<string | null>(null);
  const { credits } = PRICES[wanted.tool];
  const id = `token-${wanted.tool}`;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    const token = typed.value.trim() || tabToken.value || '';
    fault.value = walletOfToken(token) === null ? 'A token has the form tk_0x…_…: paste all of it.' : null;
    if (fault.value !== null) return;
    tabToken.value = token;
    typed.value = '';
    void checkout.spend(wanted, token);
  };
  return (
    <form class="token" onSubmit={submit}>
      <label for={id}>
        {tabToken.value === null ? 'Or use a token with credits' : 'Or use the token of this page, or another one'}
      </label>
      <div class="token-row">
        <input
          id={id}
          type="password"
          autocomplete="off"
          placeholder={tabToken.value === null ? 'tk_0x…' : 'the token that was given'}
          value={typed.value}
          aria-describedby={`${id}-note`}
          aria-invalid={fault.value !== null}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit" aria-disabled={isBusy}>
          Use {credits} {credits === 1 ? 'credit' : 'credits'}
        </button>
      </div>
      <p id={`${id}-note`} class={fault.value === null ? 'faint' : 'fault'} aria-live="polite">
        {fault.value ?? 'It is kept in the memory of this page alone, and gone when you leave it.'}
      </p>
    </form>
  );
}
