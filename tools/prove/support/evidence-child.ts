import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { parseJwks, verifyAnswer } from '#client/engine';
import { jwks } from '#discovery/jwks';
import { CONFIG } from '#test/support/discovery';
import { ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';

/** Answers with evidence, and the keys of whoever made them. */
interface Made {
  readonly node: string;
  readonly answers: readonly string[];
  readonly jwks: string;
}

/**
 * Started with `make FILE COUNT SEED` it writes that many answers, with `verify FILE` it prints how
 * many of them hold: so that one program can make what another verifies.
 */
const [verb, file, count, seed] = process.argv.slice(2);
if (verb === 'make') await make(Number(count), Number(seed));
else await verify();

async function make(count: number, seed: number): Promise<void> {
  const home = newEvidenceFixture();
  const requested = fc.sample(arbitraryDatedQuestion, { seed, numRuns: count });
  const answers = await Promise.all(requested.map((one) => answerWithEvidence(one, home)));
  const keys = jwks({ ...CONFIG, evidenceKeys: home.keys }).body;
  writeFileSync(file!, JSON.stringify({ node: process.version, answers, jwks: keys } satisfies Made));
  home.remove();
}

async function verify(): Promise<void> {
  const { node, answers, jwks } = JSON.parse(readFileSync(file!, 'utf8')) as Made;
  const options = { jwks: parseJwks(jwks)!, issuer: ISSUER };
  let good = 0;
  for (const text of answers) if ((await verifyAnswer(JSON.parse(text), options)).holds) good++;
  process.stdout.write(JSON.stringify({ madeBy: node, verifiedBy: process.version, good }));
}
