import { expect } from 'chai';
import fc from 'fast-check';
import { ErrorBodySchema } from '#api/errors';
import { EvaluateRequestSchema } from '#api/evaluate/evaluate-request';
import { OrderVerdictSchema } from '#api/order-verdict';
import { repeatedName } from '#domain/json';
import { isNestedDeeper, NESTING_MAX } from '#mcp/nesting';
import { createEvaluations } from '#services/orders/evaluations';
import { arbitraryEvaluationText } from '#test/support/arbitrary-evaluations';
import { ManualClock } from '#test/support/manual-clock';
import { EVALUATED_REQUESTS } from '#test/support/size';
import { type Door, openDoor } from './http/support/door.js';
import { ERAS, sendBytes } from './mcp/support/messages.js';

const NAMES = [...Object.keys(EvaluateRequestSchema.shape), 'slug'];
/** What is as large as this is refused before it is read. */
const BYTES_MAX = 65_536;
/** The message of a call, and its params. */
const LEVELS_AROUND = 2;

describe('an evaluation that is asked for with any body', function () {
  this.timeout(600_000);
  let door: Door;
  before(async () => {
    const clock = new ManualClock(Date.parse('2026-11-27T06:00:00Z'));
    door = await openDoor({ evaluations: createEvaluations({ clock, limiter: { take: async () => null } }) });
  });
  after(() => door.stop());

  async function byRest(body: string) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${door.url}/api/evaluate`, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  }

  /** The message is written around the body, so that every byte of it is sent. */
  async function byMcp(era: keyof typeof ERAS, body: string) {
    const { message, headers } = ERAS[era]('tools/call', { name: 'evaluate', arguments: '@' } as { name: string });
    const { status, text } = await sendBytes(
      door.url,
      JSON.stringify(message).replace('"@"', () => body),
      headers,
    );
    return { status, result: JSON.parse(text).result };
  }

  it('is answered by REST and MCP alike, or refused in JSON that names the parameter, and is no fault of ours', async () => {
    let [judged, refused] = [0, 0];
    const eras = fc.constantFrom(...(Object.keys(ERAS) as (keyof typeof ERAS)[]));
    const property = fc.asyncProperty(arbitraryEvaluationText, eras, async (body, era) => {
      const rest = await byRest(body);
      const tooLarge = Buffer.byteLength(body) > BYTES_MAX;
      const mcp = await byMcp(era, body);
      if (tooLarge) {
        expect([rest.status, mcp.status]).to.deep.equal([413, 413]);
        return;
      }
      if (mcp.status === 413) return;
      // Deeper than any message may be, and so than any evaluation.
      if (isNestedDeeper(JSON.parse(body), NESTING_MAX - LEVELS_AROUND)) {
        expect([rest.status, mcp.status]).to.deep.equal([400, 400]);
        return;
      }
      if (repeatedName(body) !== null) {
        expect([rest.status, mcp.status]).to.deep.equal([400, 400]);
        expect(ErrorBodySchema.parse(JSON.parse(rest.text)).error).to.match(/twice in one object/);
        return;
      }
      expect(mcp.status).to.equal(200);
      if (rest.status === 200) {
        expect(OrderVerdictSchema.safeParse(JSON.parse(rest.text)).error).to.equal(undefined);
        expect([mcp.result.isError ?? false, mcp.result.content[0].text]).to.deep.equal([false, rest.text]);
        judged++;
        return;
      }
      expect(rest.status).to.equal(400);
      const { error, code } = ErrorBodySchema.parse(JSON.parse(rest.text));
      expect(code).to.equal('invalid_parameter');
      expect(
        NAMES.some((name) => error.includes(name)),
        error,
      ).to.equal(true);
      expect([mcp.result.isError, mcp.result.structuredContent]).to.deep.equal([true, JSON.parse(rest.text)]);
      refused++;
    });
    await fc.assert(property, { numRuns: EVALUATED_REQUESTS });
    expect(Math.min(judged, refused)).to.be.above(EVALUATED_REQUESTS / 20);
    expect(door.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).to.deep.equal([]);
    expect(door.orders).to.deep.equal([]);
  });
});
