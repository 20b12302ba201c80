/** Facts by name, in as many columns as there is room for. They may be texts of strangers. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, text: string])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="foreign">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
