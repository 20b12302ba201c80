import { expect } from 'chai';
import { faviconRoute } from '#http/routes/favicon.route';

const PNG = '89504e47';

describe('/favicon.ico', () => {
  it('is a real ICO with pictures of 16 and 32 pixels', async () => {
    const answer = (await faviconRoute.methods.GET!(undefined as never, undefined as never)) as unknown as {
      body: Buffer;
      contentType: string;
    };
    const { body: ico } = answer;
    expect(answer.contentType).to.equal('image/x-icon');
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).to.deep.equal([0, 1, 2]);
    const sizes = [0, 1].map((n) => ico[6 + 16 * n]);
    expect(sizes).to.deep.equal([16, 32]);
    for (const n of [0, 1]) {
      const [length, offset] = [ico.readUInt32LE(14 + 16 * n), ico.readUInt32LE(18 + 16 * n)];
      expect(ico.subarray(offset, offset + 4).toString('hex')).to.equal(PNG);
      expect(offset + length).to.be.at.most(ico.length);
    }
  });
});
