import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GivenAddress } from '../../model/wallet/read-address.js';

interface AddressFormProps {
  readonly given: GivenAddress;
  readonly onAsk: (text: string) => void;
}

/** Where a wallet is named. What is wrong with it is said beside it. */
export function AddressForm({ given, onAsk }: AddressFormProps) {
  const typed = useSignal('');
  useEffect(() => {
    if (given.kind === 'address') typed.value = given.address;
  }, [given]);
  const isBad = given.kind === 'bad';
  return (
    <form
      class="address card"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(typed.value.trim());
      }}
    >
      <label for="wallet-address">Address of the wallet, or of its profile page</label>
      <div class="token-row">
        <input
          id="wallet-address"
          type="text"
          class="number"
          spellcheck={false}
          autocomplete="off"
          placeholder="0x…"
          value={typed.value}
          aria-describedby="wallet-note"
          aria-invalid={isBad}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit" class="main">
          Look at it
        </button>
      </div>
      <p id="wallet-note" class={isBad ? 'fault foreign' : 'faint'} aria-live="polite">
        {isBad ? given.problem : 'Free examples of each outcome: 0x0000000000000000000000000000000000000001 to …0005.'}
      </p>
    </form>
  );
}
