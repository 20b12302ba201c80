import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { type Browser, chromium } from 'playwright-core';
import { skipLoudly } from '#test/support/skipped';

export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Skips what wants a browser on a machine that has none, and says how to get one. */
export function needChromium(test: Context): void {
  if (existsSync(CHROMIUM)) return;
  skipLoudly(test, `there is no ${CHROMIUM}: install Chromium (apt-get install chromium), or name it in CHROMIUM_PATH`);
}

/** Chromium has no sandbox of its own for root. */
export const hasSandbox = process.getuid?.() !== 0;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, chromiumSandbox: hasSandbox });
}
