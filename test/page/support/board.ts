import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalProcess } from '#test/support/local-process';
import { tokenOf } from './token.js';

const LOOK_MS = 500;

/** Waits until there are lists, and returns a token with credits to ask for them. */
export async function boardInForce(local: LocalProcess): Promise<string> {
  const token = await tokenOf(local);
  const headers = { authorization: `Bearer ${token}` };
  while ((await fetch(`${local.facts.url}/api/leaderboard`, { headers })).status !== 200) await sleep(LOOK_MS);
  return token;
}
