interface BarsProps {
  readonly caption: string;
  readonly rows: readonly { readonly name: string; readonly value: number; readonly text: string }[];
  /** What a full bar stands for; the largest of the rows if absent. */
  readonly full?: number;
}

/** Figures beside each other, each with a bar: a table for those who do not see the bars. */
export function Bars({ caption, rows, full = Math.max(1, ...rows.map(({ value }) => value)) }: BarsProps) {
  return (
    <table class="bars">
      <caption class="visually-hidden">{caption}</caption>
      <tbody>
        {rows.map(({ name, value, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="bar-cell">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(value / full) * 100} height="10" rx="1" />
              </svg>
            </td>
            <td class="number">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
