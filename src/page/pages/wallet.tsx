import type { PageFacts } from '#api/pages';

export function Wallet(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Is this wallet worth copying?</h1>
      <p>A simulated copier follows the wallet and pays slippage and fees.</p>
    </>
  );
}
