import type { PageFacts } from '#api/pages';

export function Verify(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Verify an answer</h1>
      <p>Drop a saved answer: it is checked in this tab, and nothing is sent.</p>
    </>
  );
}
