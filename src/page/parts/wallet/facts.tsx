/** Facts by name, in as many columns as there is room for. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, text: string])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
