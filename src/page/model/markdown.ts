/**
 * Reads the Markdown that the documents of this service are written in: paragraphs, lists, fenced
 * lines, and within them `code`, **bold**, *emphasis* and links. It is written by us; nothing of it
 * becomes markup but what is named here.
 */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string };

export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

const FENCED = /^(```\w*\n[\s\S]*?\n```)$/m;
const FENCE = /^```\w*\n([\s\S]*?)\n```$/;
const ITEM = /^(?:- |\d+\. )/;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Returns the blocks of a text, which blank lines part. */
export function parseBlocks(markdown: string): readonly Block[] {
  return markdown
    .split(FENCED)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n\n+/).flatMap(splitLists)))
    .filter((block) => block.trim() !== '')
    .map(toBlock);
}

/** Returns the parts of a line. */
export function parseInline(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) found.push({ kind: 'text', text: text.slice(from, to) });
  };
  for (const match of text.matchAll(INLINE)) {
    plain(match.index);
    found.push(toInline(match));
    from = match.index + match[0].length;
  }
  plain(text.length);
  return found;
}

function toInline([, code, strong, emphasis, label = '', href = '']: RegExpMatchArray): Inline {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (emphasis !== undefined) return { kind: 'emphasis', text: emphasis };
  return { kind: 'link', text: label, href };
}

/** A list may follow a paragraph without a blank line between them. */
function splitLists(block: string): readonly string[] {
  const lines = block.split('\n');
  const first = lines.findIndex((line) => ITEM.test(line));
  if (first <= 0) return [block];
  return [lines.slice(0, first).join('\n'), lines.slice(first).join('\n')];
}

function toBlock(block: string): Block {
  const fenced = FENCE.exec(block);
  if (fenced !== null) return { kind: 'code', text: fenced[1]! };
  if (!ITEM.test(block)) return { kind: 'paragraph', text: parseInline(block.trim().replaceAll('\n', ' ')) };
  const items = block
    .trim()
    .split('\n')
    .map((line) => parseInline(line.replace(ITEM, '')));
  return { kind: 'list', isOrdered: /^\d/.test(block), items };
}
