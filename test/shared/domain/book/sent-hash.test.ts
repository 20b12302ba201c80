import { expect } from 'chai';
import fc from 'fast-check';
import { hashText } from '#domain/book/sent-hash';
import { packedSha1 } from '#test/support/packed-sha1';

describe('a hash as the venue sent it', () => {
  it('is the same text again after it was kept in 20 bytes', () => {
    const digits = fc.oneof(fc.stringMatching(/^[0-9a-f]{40}$/), fc.stringMatching(/^0{9}[89f]{31}$/));
    fc.assert(fc.property(digits, (text) => hashText(packedSha1(text)) === text));
  });

  it('is the text itself when it was kept as text', () => {
    expect(hashText('0xhash001')).to.equal('0xhash001');
  });
});
