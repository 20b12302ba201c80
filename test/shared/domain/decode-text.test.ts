import { expect } from 'chai';
import { decodeText } from '#domain/decode-text';

describe('the text of a file', () => {
  it('is that of UTF-8 and of UTF-16, without the byte order mark', () => {
    const text = '{"question":"São Paulo – 50 °C?"}';
    for (const [encoding, mark] of [
      ['utf8', ''],
      ['utf8', '\uFEFF'],
      ['utf16le', '\uFEFF'],
    ] as const) {
      expect(decodeText(Buffer.from(mark + text, encoding)), encoding).to.equal(text);
    }
    expect(decodeText(new Uint8Array())).to.equal('');
  });
});
