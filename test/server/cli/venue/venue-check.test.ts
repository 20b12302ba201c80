import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ASSUMPTIONS } from '#adapters/venue-check/assumptions/assumptions';
import { CALLS_MAX, SAMPLE_BYTES_MAX } from '#adapters/venue-check/limits';
import { addCheckCommand } from '#cli/venue/check';
import { holdAgainst, type VenueFinding } from '#compose/venue-check';
import { OutsideError } from '#domain/errors';
import { tempFolder } from '#test/support/temp-folder';
import { runCommandHere } from '../support/run-here.js';
import { type Bend, BentVenue } from './support/bent-venue.js';
import { DEVIATIONS, REFUSED, REFUSING } from './support/deviations.js';

/** What a still and small venue cannot show, and what is said of it. */
const NOT_SEEN: Readonly<Record<string, string>> = {
  A61: 'it closed none',
};
/** Calls in any second of a run. */
const CALLS_PER_SECOND = 2;

describe('preflightctl venue check', () => {
  let venue: BentVenue;
  before(async () => {
    venue = await BentVenue.start();
  });
  after(() => venue.close());

  const held = async (bend: Bend, only: readonly string[] | null) => {
    const run = { only, progress: () => undefined, signal: new AbortController().signal };
    return venue.whileTimePasses(holdAgainst(venue.through(bend), run));
  };
  const run = (options: string, bend: Bend = {}) =>
    venue.whileTimePasses(
      runCommandHere(
        (program) => addCheckCommand(program.command('venue'), () => venue.through(bend)),
        `venue check ${options}`.trim(),
      ),
    );

  describe('of the simulated venue', () => {
    let report: { readonly assumptions: readonly VenueFinding[] } & Readonly<Record<string, unknown>>;
    let exitCode: number | null;
    let stderr: string;
    let dir: string;
    let callTimesMs: readonly number[];
    before(async () => {
      dir = join(tempFolder('samples'), 'of', 'today');
      const ended = await run(`--json --samples ${dir}`);
      report = JSON.parse(ended.stdout);
      ({ exitCode, stderr } = ended);
      callTimesMs = [...venue.callTimesMs];
    });

    it('finds it to be as it is taken to be, and names what it does not show', () => {
      const strange = (one: VenueFinding) => one.holds !== 'yes' && NOT_SEEN[one.id] !== one.seen;
      expect(report.assumptions.filter(strange)).to.deep.equal([]);
      expect(report.assumptions).to.have.length(ASSUMPTIONS.length);
      expect(report).to.include({ ok: true, differing: 0, not_asked: 0, samples: dir });
      expect(exitCode).to.equal(0);
    });

    it('makes at most two calls in a second, and far fewer than it may', () => {
      const crowded = callTimesMs.filter((time, i) => callTimesMs[i + CALLS_PER_SECOND]! - time < 1_000);
      expect(crowded).to.deep.equal([]);
      expect(callTimesMs.length).to.be.within(40, CALLS_MAX / 2);
    });

    it('shows an order that is legal but for a fifth decimal of its shares, at exactly its price', () => {
      const order = report.attesting_order as Readonly<Record<string, string>>;
      const [usdc, shares] = [BigInt(order.maker_amount!), BigInt(order.taker_amount!)];
      expect(order).to.include({ side: 'BUY', order_type: 'FOK', tick_size: '0.001', price: '0.064' });
      expect(usdc * 1_000n).to.equal(shares * 64n);
      expect(usdc % 10_000n).to.equal(0n);
      expect([shares % 100n, shares % 10n]).to.deep.equal([50n, 0n]);
      expect(usdc >= 1_000_000n).to.equal(true);
    });

    it('shows on standard error how far it is', () => {
      expect(stderr).to.match(/^asking: \d+% \d+\/120 calls, /m);
    });

    it('saves what was answered, small and without what names people, and the report', () => {
      const files = readdirSync(dir);
      expect(files).to.include.members(['gamma-open.json', 'clob-book.json', 'channel.json', 'report.json']);
      for (const name of files) {
        const text = readFileSync(join(dir, name), 'utf8');
        JSON.parse(text);
        expect(text, name).not.to.match(/0x(?!0{30})[0-9a-fA-F]{40}(?![0-9a-fA-F])/);
        expect(text, name).not.to.match(/"(?:pseudonym|name)": "[^"…]/);
        if (name !== 'report.json') expect(Buffer.byteLength(text), name).to.be.at.most(SAMPLE_BYTES_MAX + 1);
      }
    });
  });

  describe('of a venue that differs', () => {
    it('has a deviation for each assumption', () => {
      expect(Object.keys(DEVIATIONS)).to.deep.equal(ASSUMPTIONS.map(({ id }) => `A${id}`));
    });

    for (const { id, text } of ASSUMPTIONS) {
      it(`finds by A${id} where it is not so that ${text}`, async () => {
        const [finding] = (await held(DEVIATIONS[`A${id}`]!(), [`A${id}`])).findings;
        expect(finding, JSON.stringify(finding)).to.include({ id: `A${id}`, holds: 'no' });
      });
    }
  });

  it('takes a refusal for a difference wherever an answer is wanted', async () => {
    const { findings } = await held(REFUSING, REFUSED);
    expect(findings.filter(({ holds }) => holds !== 'no')).to.deep.equal([]);
  });

  describe('of a venue that does not answer', () => {
    const away: Bend = {
      answer: (url) => {
        throw new OutsideError('gamma', `GET ${url} gave no answer`, { failure: 'retryable' });
      },
    };

    it('holds nothing to be so, says that it could not be asked, and soon leaves it alone', async () => {
      const { findings, calls } = await held(away, null);
      const known = findings.filter(({ holds }) => holds === 'yes' || holds === 'no');
      // The live feed is asked for without an answer of REST.
      expect(known.map(({ asked }) => asked.split(',')[0])).to.deep.equal(['live feed', 'live feed']);
      expect(calls).to.be.below(20);
      expect(findings[0]).to.include({ holds: 'not asked' });
    });

    it('ends with 3, and says how many could not be asked', async () => {
      const { exitCode, stdout } = await run('--only A1,A45', away);
      expect(stdout).to.include('0 hold, 0 do not, 2 not asked');
      expect(exitCode).to.equal(3);
    });

    it('takes a part of it that is down for no more than that part', async () => {
      const { findings } = await held(
        { answer: (url, own) => (url.includes('/data/') ? away.answer!(url, own) : own) },
        ['A1', 'A70'],
      );
      expect(findings.map(({ holds }) => holds)).to.deep.equal(['yes', 'not asked']);
    });

    it('says so of a socket that does not open', async () => {
      const shut = { ...venue.through(), channel: shutSocket };
      const asked = { only: ['A50'], progress: () => undefined, signal: new AbortController().signal };
      const { findings } = await venue.whileTimePasses(holdAgainst(shut, asked));
      expect(findings[0]).to.include({ holds: 'not asked', seen: 'the socket did not open: refused' });
    });
  });

  describe('on the command line', () => {
    it('prints what was held, whether it holds and what was seen, within 100 columns', async () => {
      const { exitCode, stdout, stderr } = await run('--only A1,A36,A61');
      expect(exitCode).to.equal(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines[0]).to.match(/^ +ASSUMPTION +HOLDS +SEEN$/);
      expect(lines[1]).to.match(/^A1 +the old lists still answer, with a list +yes +100 markets$/);
      expect(lines[3]).to.match(/^A61 .* not seen +it closed none$/);
      expect(lines.at(-1)).to.equal('2 hold, 0 do not, 1 not seen, in 5 calls');
      for (const line of lines) expect(line.length).to.be.at.most(100);
      expect(stderr).to.equal('');
    });

    it('ends with 1 where one does not hold, and tells what was asked and seen in full', async () => {
      const { exitCode, stdout } = await run('--only A36,A37', DEVIATIONS.A36!());
      expect(exitCode).to.equal(1);
      expect(stdout)
        .to.match(/^A36 .* NO /m)
        .and.match(/^A37 .* yes /m);
      expect(stdout).to.match(
        /^A36 does not hold: an unknown token is 404.*\n {2}asked CLOB `\/book`\n {2}seen {2}404 /m,
      );
    });

    it('prints one JSON object for scripts', async () => {
      const { exitCode, stdout } = await run('--json --only A36,A61', DEVIATIONS.A36!());
      const report = JSON.parse(stdout);
      expect(exitCode).to.equal(1);
      expect(report).to.include({ ok: true, held: 0, differing: 1, not_seen: 1, not_asked: 0, samples: null });
      expect(report.assumptions[1]).to.have.all.keys('id', 'assumption', 'asked', 'holds', 'seen');
    });

    it('refuses numbers that there are not, with 2', async () => {
      const { exitCode, stderr } = await run('--only A1,A999');
      expect([exitCode, stderr]).to.deep.equal([2, stderr]);
      expect(stderr).to.include('there is no A999');
    });

    it('refuses a folder that holds anything, and a file, before anything is asked', async () => {
      const dir = tempFolder('samples');
      const file = join(dir, 'a-file');
      writeFileSync(file, 'mine');
      for (const path of [dir, file]) {
        const { exitCode, stderr, stdout } = await run(`--samples ${path}`);
        expect([exitCode, stdout]).to.deep.equal([2, '']);
        expect(stderr).to.include('give a folder that is empty or not there');
      }
      expect(venue.callTimesMs).to.deep.equal([]);
    });
  });
});

/** A socket that is refused. */
function shutSocket({ onClose }: { onClose: (reason: string) => void }) {
  onClose('refused');
  return { send: () => undefined, close: () => undefined };
}
