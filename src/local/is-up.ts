import { once } from 'node:events';
import { createServer } from 'node:net';
import { type LocalFacts, readLocalFacts } from './pay-facts.js';

/** A service that is up answers at once; what answers later is no reason not to start. */
const ANSWER_MS_MAX = 1_000;

/**
 * Rejects, saying where, if an instance of this data directory is up: a second one could not have
 * its chain, and would only find its port taken.
 */
export async function refuseIfUp(dataDir: string): Promise<void> {
  const facts = factsOf(dataDir);
  if (facts === null || !(await answers(facts.url))) return;
  throw new Error(
    `it is up already, at ${facts.url}, with the data in ${dataDir}: use it, or stop it (Ctrl-C there), or start another with its own DATA_DIR and PORT`,
  );
}

/**
 * Rejects (EADDRINUSE) if something listens at the place already: better before a chain and a venue
 * are started than after.
 */
export async function refuseIfTaken({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** null: nothing was ever started there. */
function factsOf(dataDir: string): LocalFacts | null {
  try {
    return readLocalFacts(dataDir);
  } catch {
    return null;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).ok;
  } catch {
    return false;
  }
}
