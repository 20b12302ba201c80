import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Where `npm start` keeps its data unless DATA_DIR names another place. */
export const DATA_DIR_USUAL = './data';

const hex = z.templateLiteral(['0x', z.string()]);
const LocalFactsSchema = z.object({
  url: z.url(),
  rpcUrl: z.url().nullable(),
  usdc: hex,
  payee: hex,
  demoWallet: z.object({ address: hex, privateKey: hex }),
  exampleSlug: z.string(),
  exampleOutcome: z.string(),
});

const ClusterFactsSchema = LocalFactsSchema.extend({
  promoCode: z.string(),
  replicas: z.array(z.object({ id: z.string(), url: z.url(), pid: z.int() })).min(2),
});

const TermsSchema = z.object({ accepts: z.tuple([z.object({ payTo: z.string() })], z.unknown()) });

/** What a payer of the local profile needs of local.json. */
export type LocalFacts = z.infer<typeof LocalFactsSchema>;

/** What local.json of a cluster says besides. */
export type ClusterFacts = z.infer<typeof ClusterFactsSchema>;

/**
 * Returns the facts of the instance that uses this data directory. Throws if none was ever started
 * there.
 */
export function readLocalFacts(dataDir: string): LocalFacts {
  return readFacts(dataDir, LocalFactsSchema, 'npm start');
}

/** As `readLocalFacts`, of a cluster. */
export function readClusterFacts(dataDir: string): ClusterFacts {
  return readFacts(dataDir, ClusterFactsSchema, 'npm run cluster');
}

function readFacts<T>(dataDir: string, schema: z.ZodType<T>, command: string): T {
  const file = join(dataDir, 'local.json');
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} cannot be read: run ${command} first, with the same DATA_DIR`, { cause });
  }
}

/**
 * Returns the URL to pay for: the given one, or the example. Throws if it is not of this instance.
 */
export function urlToPay({ url, exampleSlug, exampleOutcome }: LocalFacts, given: string | undefined): string {
  if (given === undefined) {
    return `${url}/api/preflight_trade?slug=${exampleSlug}&outcome=${encodeURIComponent(exampleOutcome)}&usd=250`;
  }
  if (URL.canParse(given) && new URL(given).origin === new URL(url).origin) return given;
  throw new Error(`${given} is not a URL under ${url}: npm run pay pays only the instance of its DATA_DIR`);
}

/**
 * Rejects unless the instance of these facts is the one that answers at its URL: its payee was made
 * for its data directory, so that another instance on the same port wants another one to be paid.
 */
export async function checkInstance({ url, payee }: LocalFacts): Promise<void> {
  const answer = await fetch(`${url}/api/preflight_trade?x402_probe=1`).catch((cause: unknown) => {
    throw new Error(`nothing answers at ${url}: run npm start, with the same DATA_DIR`, { cause });
  });
  const terms = TermsSchema.safeParse(await answer.json().catch(() => null));
  const payTo = terms.success ? terms.data.accepts[0].payTo : 'an unknown address';
  if (payTo.toLowerCase() === payee.toLowerCase()) return;
  throw new Error(
    `at ${url} there is another instance than the one of this DATA_DIR: it wants ${payTo} to be paid, not ${payee}. ` +
      'Nothing was paid; run the command that its npm start printed',
  );
}
