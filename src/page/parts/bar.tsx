/**
 * A bar of one row: its parts lie over each other, each from the start, as long as its share of the
 * whole (0 to 1).
 */
export function Bar({ parts }: { readonly parts: readonly { readonly part: number; readonly kind: string }[] }) {
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ part, kind }) => (
        <rect class={kind} width={(Math.min(Math.max(part, 0), 1) * 100).toFixed(2)} height="1" />
      ))}
    </svg>
  );
}
