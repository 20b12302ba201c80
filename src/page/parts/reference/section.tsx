import type { DocsPart, DocsSection, DocsTable } from '#api/docs-page';
import { CodeBlock } from '../prose/code-block.js';
import { Line, Prose } from '../prose/prose.js';

/** A part of the documentation with its heading, which is the link to it, and those within it. */
export function Section({ id, title, parts, sections = [] }: DocsSection) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <a href={`#${id}`}>{title}</a>
      </h2>
      {parts.map(toElement)}
      {sections.map((inner) => (
        <section aria-labelledby={inner.id}>
          <h3 id={inner.id}>
            <a href={`#${inner.id}`}>{inner.title}</a>
          </h3>
          {inner.parts.map(toElement)}
        </section>
      ))}
    </section>
  );
}

function toElement(part: DocsPart) {
  switch (part.kind) {
    case 'text':
      return <Prose markdown={part.markdown} />;
    case 'table':
      return <Table caption={part.caption} table={part.table} />;
    case 'code':
      return <CodeBlock text={part.text} />;
  }
}

interface TableProps {
  readonly caption: string;
  readonly table: DocsTable;
}

/** A table of the documents. Where it is narrow each row is a card (styles/docs.css). */
function Table({ caption, table: { head, rows } }: TableProps) {
  return (
    <table class="stack">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr id={id}>
            {cells.map((cell) => (
              <td>
                <Line text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
