import type { ShownComponent } from '../../model/status/status-view.js';

const WORDS = { ok: '✓ answers', down: '✕ down', idle: '· not tried' } as const;

/** What the service depends on, one row each. Errors may hold what others wrote. */
export function ComponentsTable({ components }: { readonly components: readonly ShownComponent[] }) {
  return (
    <table class="stack components">
      <caption class="visually-hidden">What the service stands on</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col">State</th>
          <th scope="col">Last good answer</th>
          <th scope="col">Error</th>
        </tr>
      </thead>
      <tbody>
        {components.map(({ name, about, state, lastGood, error }) => (
          <tr key={name}>
            <th scope="row" class="foreign">
              {name}
              <small>{about}</small>
            </th>
            <td data-state={state}>{WORDS[state]}</td>
            <td>{lastGood}</td>
            <td class="foreign">{error}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
