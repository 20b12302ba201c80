import type { DocsSection } from '#api/docs-page';
import type { VenueRefusal } from '#domain/refusals/refusal';
import { REFUSAL_GROUPS } from '#domain/refusals/refusals';
import { Section } from '../parts/reference/section.js';

const ORDER = {
  none: 'Nothing was filled and nothing rests.',
  unknown: 'It may be live or filled: look it up before you send another one.',
} as const;

/** Each text with which the venue refuses an order, and what to change. It needs no script. */
export function Refusals() {
  const sections = REFUSAL_GROUPS.map(({ title, refusals }) => groupSection(title, refusals));
  return (
    <div class="docs">
      <nav class="contents" aria-label="Contents">
        <ul>
          {sections.map(({ id, title }) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="reference">
        <h1>Why the venue refused an order</h1>
        <p>
          The texts that Polymarket and its official clients are known to send, the rule behind each, and what to
          change. Search this page for a few words of yours, or run <code>preflight explain "TEXT"</code>. The same list
          for programs: <a href="/refusals.json">/refusals.json</a>.
        </p>
        {sections.map((section) => (
          <Section {...section} />
        ))}
      </div>
    </div>
  );
}

function groupSection(title: string, refusals: readonly VenueRefusal[]): DocsSection {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const head = ['Text', 'Meaning and rule', 'What to change'];
  const rows = refusals.map((refusal) => ({ id: refusal.id, cells: cellsOf(refusal) }));
  return { id, title, parts: [{ kind: 'table', caption: title, table: { head, rows } }] };
}

function cellsOf({ statuses, texts, meaning, rule, remedy, order, documented, sources }: VenueRefusal) {
  const from = statuses.length === 0 ? 'client' : statuses.join(' or ');
  // Pages link to this service alone.
  const seen = sources.map((url) => url.replace(/^https:\/\/(github\.com\/)?/, '')).join(', ');
  return [
    `${from}: ${texts.map((text) => `\`${text}\``).join(' · ')}`,
    `${meaning} ${rule}`,
    `${remedy} **${ORDER[order]}** ${documented ? 'Documented' : 'Seen'}: ${seen}`,
  ];
}
