import type { PageFacts } from '#api/pages';

export function Status(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Status</h1>
      <p>How fresh the service is.</p>
    </>
  );
}
