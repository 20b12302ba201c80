/**
 * Lines of a program or a shell. It can be reached by keyboard, because it may be wider than its
 * place.
 */
export function CodeBlock({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
