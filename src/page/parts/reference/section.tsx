import type { DocsPart, DocsSection, DocsTable } from '#api/docs-page';
import { Samples } from '../docs/samples.js';
import { CodeBlock } from '../prose/code-block.js';
import { Line, Prose } from '../prose/prose.js';

/** A part of the documentation with its heading, which is the link to it, and those within it. */
export function Section(section: DocsSection) {
  const { id, title, sections = [], samples = [], answer } = section;
  const hasSamples = samples.length > 0 || answer !== undefined;
  return (
    <section aria-labelledby={id} class={hasSamples ? 'with-samples' : undefined}>
      <div>
        <h2 id={id}>
          <a href={`#${id}`}>{title}</a>
        </h2>
        {section.parts.map(toElement)}
      </div>
      {hasSamples && <Samples id={id} samples={samples} answer={answer} />}
      {sections.map((inner) => (inner.isFolded === true ? <Folded {...inner} /> : <Inner {...inner} />))}
    </section>
  );
}

function Inner({ id, title, parts }: DocsSection) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>
        <a href={`#${id}`}>{title}</a>
      </h3>
      {parts.map(toElement)}
    </section>
  );
}

/** A link into it unfolds it, since what the link leads to is inside. */
function Folded(section: DocsSection) {
  return (
    <details class="folded">
      <summary>{section.title}</summary>
      <Inner {...section} />
    </details>
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
