import { expect } from 'chai';
import { parseBlocks, parseInline } from '#page/model/markdown';

describe('the Markdown of the documents', () => {
  it('is paragraphs, lists and fenced lines', () => {
    const text = 'One\nline:\n- a `b`\n- c\n\n1. first\n2. second\n\n```\nx - y\n\n- no item\n```\n\nend';
    expect(parseBlocks(text).map(({ kind }) => kind)).to.deep.equal(['paragraph', 'list', 'list', 'code', 'paragraph']);
    expect(parseBlocks(text)[2]).to.deep.include({ kind: 'list', isOrdered: true });
    expect(parseBlocks(text)[3]).to.deep.equal({ kind: 'code', text: 'x - y\n\n- no item' });
  });

  it('has code, bold, emphasis and links in a line', () => {
    expect(parseInline('a `b*c*` **d** *e* [f](#g).')).to.deep.equal([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: 'b*c*' },
      { kind: 'text', text: ' ' },
      { kind: 'strong', text: 'd' },
      { kind: 'text', text: ' ' },
      { kind: 'emphasis', text: 'e' },
      { kind: 'text', text: ' ' },
      { kind: 'link', text: 'f', href: '#g' },
      { kind: 'text', text: '.' },
    ]);
  });

  it('makes markup of nothing else', () => {
    const hostile = '<b onclick="x">1 < 2 & `<script>`</b> [x](javascript alert)';
    const kinds = parseInline(hostile).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['text', 'code', 'text']);
  });
});
