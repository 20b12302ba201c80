import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '../support/children.js';
import { progress } from '../support/rounds.js';
import { copyLinked } from './linked-copy.js';
import type { NightCost, NightOptions } from './night-child.js';

const CHILD = new URL('./night-child.js', import.meta.url);

/**
 * What is measured, in its order. Each piece has a process of its own; one that changes the tape
 * begins with a copy of what the one before it left (`from`), so that it can be begun again.
 */
const PIECES = [
  { name: 'first', folder: 'base', from: null, before: ['make'] },
  { name: 'night', folder: 'night', from: 'base', before: ['day'] },
  { name: 'scan', folder: 'night', from: null, before: [] },
  { name: 'rate', folder: 'night', from: null, before: [] },
  { name: 'ratePast', folder: 'night', from: null, before: [] },
  { name: 'late', folder: 'late', from: 'night', before: ['addLate'] },
  { name: 'merge', folder: 'merged', from: 'night', before: ['addLate'] },
  { name: 'mergedRate', ask: 'rate', folder: 'merged', from: null, before: [] },
  { name: 'mergedRatePast', ask: 'ratePast', folder: 'merged', from: null, before: [] },
] as const;

export type NightPiece = (typeof PIECES)[number]['name'];
export type NightCosts = Readonly<Record<NightPiece, NightCost>>;

/** Measures a tape of this size. What was measured before in this folder is not measured again. */
export async function measureNight(fixture: string, fills: number): Promise<NightCosts> {
  const dir = join(fixture, String(fills));
  const stored = join(dir, 'costs.json');
  await mkdir(join(dir, 'parts'), { recursive: true });
  const costs: Partial<Record<NightPiece, NightCost>> = existsSync(stored)
    ? JSON.parse(readFileSync(stored, 'utf8'))
    : {};
  for (const [n, piece] of PIECES.entries()) {
    if (costs[piece.name] !== undefined) continue;
    progress(`night, ${fills} fills: piece ${n + 1} of ${PIECES.length}, ${piece.name}`);
    costs[piece.name] = await measure(dir, fills, piece);
    writeFileSync(stored, JSON.stringify(costs, null, 1));
    progress(`night, ${fills} fills: ${piece.name} took ${Math.round(costs[piece.name]!.cpuSeconds)} s of CPU`);
  }
  return costs as NightCosts;
}

async function measure(dir: string, fills: number, piece: (typeof PIECES)[number]): Promise<NightCost> {
  const folder = join(dir, piece.folder);
  const options: NightOptions = { dir: folder, parts: join(dir, 'parts'), fills };
  if (piece.before.some((question) => question === 'make')) await rm(folder, { recursive: true, force: true });
  if (piece.from !== null) await copyLinked(join(dir, piece.from), folder);
  for (const question of piece.before) await ask(options, question);
  return ask(options, 'ask' in piece ? piece.ask : piece.name);
}

async function ask(options: NightOptions, question: string): Promise<NightCost> {
  const child = await startChild(CHILD, options);
  try {
    return (await child.ask(question)) as NightCost;
  } finally {
    await child.stop();
  }
}
