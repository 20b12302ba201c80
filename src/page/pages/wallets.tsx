import type { PageFacts } from '#api/pages';

export function Wallets(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Wallets worth copying, and those that are not</h1>
      <p>The lists are made every night.</p>
    </>
  );
}
