import type { PageFacts } from '#api/pages';

export function Landing(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Should this order be sent, now, at this size?</h1>
      <p>Preflight judges an order on the live book of its market before any money moves.</p>
    </>
  );
}
