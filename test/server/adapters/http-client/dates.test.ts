import { expect } from 'chai';
import { hearDates } from '#adapters/http-client/dates';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';

const SUNDAY = 'Sun, 06 Nov 1994 08:49:37 GMT';
const SUNDAY_MS = Date.parse(SUNDAY);

describe('the dates of answers', () => {
  let server: LoopbackServer;
  let heard: [string, number][];
  let stop: () => void;

  beforeEach(async () => {
    server = await startLoopbackServer();
    heard = [];
    stop = hearDates([`${server.baseUrl}/under/a/path`], (...one) => heard.push(one));
  });
  afterEach(async () => {
    stop();
    await server.close();
  });

  async function answered(status: number, headers: Record<string, string>): Promise<void> {
    server.answer((_, response) => {
      response.sendDate = false;
      response.writeHead(status, headers).end();
    });
    await (await fetch(`${server.baseUrl}/somewhere`, { redirect: 'manual' })).text();
  }

  for (const [title, status, headers, times] of [
    ['are heard', 200, { Date: SUNDAY }, [SUNDAY_MS]],
    ['are heard of what was refused, failed or moved', 503, { date: SUNDAY }, [SUNDAY_MS]],
    ['are as old as a cache says', 200, { Date: SUNDAY, Age: '90' }, [SUNDAY_MS + 90_000]],
    ['are no dates where there is none', 200, {}, []],
    ['are no dates where they cannot be read', 200, { Date: 'now' }, []],
    ['are no dates where the age cannot be read', 200, { Date: SUNDAY, Age: 'old' }, []],
  ] as const) {
    it(title, async () => {
      await answered(status, headers);
      const host = new URL(server.baseUrl).host;
      expect(heard).to.deep.equal(times.map((ms) => [host, ms]));
    });
  }

  it('of others are not heard, nor any after the end', async () => {
    const other = await startLoopbackServer();
    await (await fetch(other.baseUrl)).text();
    await other.close();
    stop();
    await answered(200, { Date: SUNDAY });
    expect(heard).to.deep.equal([]);
  });
});
