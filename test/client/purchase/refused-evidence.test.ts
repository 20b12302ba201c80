import { expect } from 'chai';
import { Preflight } from '#client/index';
import { clientSystem } from '#client/system';

const WALLET = `0x${'ab'.repeat(20)}`;

describe('a rating whose evidence is refused', () => {
  it('is told at once, and nothing was charged: asking the same again would not help', async () => {
    // Would wait for ever: whoever asks again here never ends.
    const system = { ...clientSystem, timers: { ...clientSystem.timers, sleep: () => new Promise<void>(() => {}) } };
    const asked: string[] = [];
    const preflight = new Preflight({
      baseUrl: 'https://one.example',
      token: `tk_${WALLET}_secret`,
      system,
      fetch: async (url) => {
        asked.push(url);
        return new Response('{"error":"it is not stored","code":"evidence_unavailable"}', { status: 500 });
      },
    });
    const error = await preflight.copy(WALLET, { evidence: true }).catch((caught) => caught);
    expect(error).to.include({ name: 'Problem', code: 'evidence_unavailable', charged: 'nothing' });
    expect(asked).to.deep.equal([`https://one.example/api/preflight_copy?evidence=1&wallet=${WALLET}`]);
    expect((await preflight.spending()).open).to.deep.equal([]);
  });
});
