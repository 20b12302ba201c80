import type { PageFacts } from '#api/pages';

export function Docs(_: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Documentation</h1>
      <p>Everything that is served, from the same tables as /openapi.json.</p>
    </>
  );
}
