import { type Block, type Inline, parseBlocks, parseInline } from '../../model/markdown.js';
import { CodeBlock } from './code-block.js';

/** A text in the Markdown of the documents. */
export function Prose({ markdown }: { readonly markdown: string }) {
  return <>{parseBlocks(markdown).map(toElement)}</>;
}

/** A line of such a text. */
export function Line({ text }: { readonly text: string }) {
  return <>{parseInline(text).map(toInlineElement)}</>;
}

function toElement(block: Block) {
  switch (block.kind) {
    case 'code':
      return <CodeBlock text={block.text} />;
    case 'paragraph':
      return <p>{block.text.map(toInlineElement)}</p>;
    case 'list': {
      const items = block.items.map((item) => <li>{item.map(toInlineElement)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function toInlineElement(part: Inline) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'emphasis':
      return <em>{part.text}</em>;
    case 'link':
      return <a href={part.href}>{part.text}</a>;
  }
}
