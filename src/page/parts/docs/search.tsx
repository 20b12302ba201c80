import { useSignal } from '@preact/signals';
import { DOCS_INDEX_PATH, type DocsEntry } from '#api/docs-page';
import type { Found } from '../../model/docs/search.js';

type Search = (words: string) => readonly Found[];

let loaded: Promise<Search> | null = null;

/** Loads what it takes to search, once, when the field is first used. */
function load(): Promise<Search> {
  loaded ??= (async () => {
    const [{ docsSearch }, answer] = await Promise.all([import('../../model/docs/search.js'), fetch(DOCS_INDEX_PATH)]);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return docsSearch((await answer.json()) as readonly DocsEntry[]);
  })();
  loaded.catch(() => {
    loaded = null;
  });
  return loaded;
}

/** Searches all pages of the documentation in the browser: what is typed is sent nowhere. */
export function DocsSearch() {
  const words = useSignal('');
  const found = useSignal<readonly Found[] | null>(null);
  const isBroken = useSignal(false);
  const look = async (typed: string) => {
    words.value = typed;
    try {
      const search = await load();
      isBroken.value = false;
      if (words.value === typed) found.value = typed.trim() === '' ? null : search(typed);
    } catch {
      isBroken.value = true;
    }
  };
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found.value ?? [];
          if (first !== undefined) location.assign(first.url);
        }}
      >
        <label for="docs-search">Search the documentation</label>
        <input
          id="docs-search"
          type="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          value={words}
          onFocus={() => void load().catch(() => {})}
          onInput={({ currentTarget }) => void look(currentTarget.value)}
        />
        <p class="visually-hidden" role="status">
          {found.value === null ? '' : `${found.value.length} found`}
        </p>
        {isBroken.value && <p class="fault">The search could not be loaded. Type on to try again.</p>}
        {found.value !== null && <Results found={found.value} words={words.value} />}
      </form>
    </search>
  );
}

function Results({ found, words }: { readonly found: readonly Found[]; readonly words: string }) {
  if (found.length === 0) return <p class="empty">Nothing has “{words.trim()}” in it.</p>;
  return (
    <ul class="found">
      {found.map(({ url, title, page, snippet }) => (
        <li key={url}>
          <a href={url}>
            <strong>{title}</strong> {page !== title && <span class="faint">{page}</span>}
            <small>{snippet}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
