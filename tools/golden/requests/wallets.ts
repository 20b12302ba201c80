import { setTimeout as sleep } from 'node:timers/promises';
import { get, type Headers } from '../exchange.js';
import type { Recording } from '../recording.js';
import type { GoldenVenue } from '../venue.js';
import { WALLETS } from '../wallets.js';

const LOOKS_MAX = 200;
const POLL_INTERVAL_MS = 100;

/** The lists and the profiles of wallets. */
export async function askWallets(
  recording: Recording,
  token: string,
  venue: Pick<GoldenVenue, 'release'>,
): Promise<void> {
  const bearer = { Authorization: `Bearer ${token}` };
  for (const tool of ['leaderboard', 'red_list', 'preflight_copy']) {
    const path = `/api/${tool}`;
    for (const query of ['sandbox=1', 'x402_probe=1', 'sandbox=0', '']) {
      await recording.ask(`${tool} unpaid ?${query}`, get(`${path}?${query}`));
    }
    await recording.ask(`${tool} with a token`, get(path, bearer));
    await recording.ask(`${tool} with an unknown parameter`, get(`${path}?foo=1`, bearer));
    await recording.ask(`${tool} with a wrong token`, get(path, { Authorization: 'Bearer tk_nobody' }));
  }
  for (const wallet of ['', '0x12', 'vitalik.eth', `0x${'A1'.repeat(20)}`, `0X${'a1'.repeat(20)}`]) {
    await recording.ask(`copy ?wallet=${wallet}`, get(`/api/preflight_copy?wallet=${wallet}`, bearer));
  }
  for (const name of ['skilled', 'loser', 'middling', 'unseen', 'unseenLoser', 'few', 'neverTraded'] as const) {
    await recording.ask(`copy of ${name}, unpaid`, copyOf(name));
    await recording.ask(`copy of ${name}`, copyOf(name, bearer));
    await askUntilDone(recording, name, bearer);
  }
  const held = ['held1', 'held2', 'held3', 'held4'] as const;
  for (const name of held) await recording.ask(`copy of ${name}`, copyOf(name, bearer));
  for (const name of held) await recording.ask(`copy of ${name}, again`, copyOf(name, bearer));
  venue.release();
  for (const name of held) await askUntilDone(recording, name, bearer);
  await recording.ask('copy of one that cannot be reached', copyOf('unreachable', bearer));
}

const copyOf = (name: keyof typeof WALLETS, headers: Headers = {}) =>
  get(`/api/preflight_copy?wallet=${WALLETS[name]}`, headers);

/** Asks until a wallet is QUEUED no more, and keeps the last answer. */
async function askUntilDone(recording: Recording, name: keyof typeof WALLETS, bearer: Headers): Promise<void> {
  for (let look = 1; look < LOOKS_MAX; look++) {
    const { status } = await recording.look(copyOf(name, bearer));
    if (!status.includes(' 202 ')) break;
    await sleep(POLL_INTERVAL_MS);
  }
  await recording.ask(`copy of ${name}, when done`, copyOf(name, bearer));
}
