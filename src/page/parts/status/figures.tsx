import type { FigureGroup } from '../../model/status/status-view.js';

/** Figures about one thing. */
export function Figures({ title, figures }: FigureGroup) {
  return (
    <section>
      <h2>{title}</h2>
      <dl class="figures">
        {figures.map(({ label, value }) => (
          <div class="card" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
