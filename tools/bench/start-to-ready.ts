import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '#test/support/source-tree';
import type { VenueFacts } from './http-server.js';
import { serviceSettings } from './support/service-settings.js';

/** As it is deployed: deploy/Dockerfile, deploy/preflight.service. */
const SERVICE = join(ROOT, 'dist/bundle/service/main.cjs');
const LISTENING = /"port":(\d+)/;

/**
 * Returns the milliseconds from the start of the deployed service on a full data directory to its
 * first 200 of /healthz.
 */
export async function startToReady(dataDir: string, venue: VenueFacts): Promise<number> {
  const startedMs = performance.now();
  const service = spawn(process.execPath, [SERVICE], {
    env: { PATH: process.env.PATH, ...serviceSettings(dataDir, venue) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  try {
    const port = await portOf(service.stdout);
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
    if (status !== 200) throw new Error(`the service is listening, and /healthz says ${status}`);
    return performance.now() - startedMs;
  } finally {
    service.kill();
    await ended;
  }
}

async function portOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const port = LISTENING.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('the service ended before it was ready');
}
