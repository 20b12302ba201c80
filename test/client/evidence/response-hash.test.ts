import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { OPENAPI } from '#test/support/discovery';
import { type EvidenceFixture, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { ratingWithEvidence } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { frameOf, SKILLED_WALLET, skilledWallet } from '#test/support/skilled-wallet';
import { ROOT } from '#test/support/source-tree';

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;

/** What docs/interface.md says of each member, and how a reader of it computes that. */
interface Told {
  readonly words: string;
  readonly value: (payload: Json, answer: Json) => unknown;
}

const OF_VERDICTS: Readonly<Record<string, Told>> = {
  endpoint: { words: '`issuer` + `/api/preflight_trade`', value: ({ issuer }) => `${issuer}/api/preflight_trade` },
  inputs: { words: '`request`', value: ({ request }) => request },
  result: { words: '`result`', value: ({ result }) => result },
  method: { words: '`meta.method` of the answer', value: (_, { meta }) => meta.method },
  dataVintage: {
    words: '`book.timestamp_ms` as `2026-11-26T12:00:00.000Z`',
    value: ({ book }) => new Date(book.timestamp_ms).toISOString(),
  },
};

const OF_RATINGS: Readonly<Record<string, Told>> = {
  endpoint: { words: '`issuer` + `/api/preflight_copy`', value: ({ issuer }) => `${issuer}/api/preflight_copy` },
  inputs: {
    words: '`{"wallet": basis.wallet, "evidence": 1}`',
    value: ({ basis }) => ({ wallet: basis.wallet, evidence: 1 }),
  },
  result: { words: '`result`', value: ({ result }) => result },
  method: { words: '`method` of the answer', value: (_, { method }) => method },
  dataVintage: { words: '`basis.as_of`', value: ({ basis }) => basis.as_of },
};

/** Returns the hash of an answer as the page tells to compute it. */
function hashAsTold(told: Readonly<Record<string, Told>>, answer: Json): string {
  const { payload } = answer.evidence;
  const members = Object.entries(told).map(([name, { value }]) => [name, value(payload, answer)]);
  const text = canonicalize(Object.fromEntries(members))!;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

describe('the response hash, by what is told of it', () => {
  let home: EvidenceFixture;
  beforeEach(() => {
    home = newEvidenceFixture();
  });
  afterEach(() => home.remove());

  it('can be computed again for a verdict', async () => {
    for (const question of fc.sample(arbitraryDatedQuestion, { numRuns: 20 })) {
      const answer = JSON.parse(await answerWithEvidence(question, home));
      expect(hashAsTold(OF_VERDICTS, answer)).to.equal(answer.evidence.payload.response_hash);
    }
  });

  it('can be computed again for a rating', async () => {
    const rated = { wallet: SKILLED_WALLET, ...skilledWallet(), frame: frameOf(AS_OF_S) };
    const answer = JSON.parse((await ratingWithEvidence(rated, home))!);
    expect(hashAsTold(OF_RATINGS, answer)).to.equal(answer.evidence.payload.response_hash);
  });

  it('is told in docs/interface.md in these words', () => {
    const page = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');
    for (const [name, { words }] of Object.entries(OF_VERDICTS)) {
      expect(page).to.include(`| \`${name}\` | ${words} | ${OF_RATINGS[name]!.words} |`);
    }
  });

  it('is told in /openapi.json with the same members', () => {
    const told = (name: string): string => {
      const { evidence } = (OPENAPI.components.schemas[name] as Json).properties;
      return evidence.properties.payload.properties.response_hash.description;
    };
    for (const words of ['issuer + /api/preflight_trade', 'meta.method', 'book.timestamp_ms as 2026-11-26T12']) {
      expect(told('OrderVerdict')).to.include(words);
    }
    for (const words of ['issuer + /api/preflight_copy', '{wallet: basis.wallet, evidence: 1}', 'basis.as_of']) {
      expect(told('WalletProfile')).to.include(words);
    }
  });
});
