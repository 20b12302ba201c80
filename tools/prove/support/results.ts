import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';

/** How a part ended. */
export type Ending = 'passed' | 'failed' | 'interrupted';

export interface PartResult {
  readonly ending: Ending;
  readonly seconds: number;
}

/** A cell of the payment matrix that was played: one line of a file. */
export interface CellResult {
  readonly cell: string;
  readonly outcome: string;
  readonly breaches: readonly string[];
  readonly deaths: readonly string[];
}

/**
 * What earlier runs on this machine came to. It is no part of the project, so it lies with what npm
 * installed.
 */
const FOLDER = join(ROOT, 'node_modules/.cache/preflight-prove');
const RESULTS = join(FOLDER, 'parts.json');
const cellsFile = (part: string) => join(FOLDER, `${part}.cells.jsonl`);

/** Returns the last result of each part by name. */
export function readResults(): Readonly<Record<string, PartResult>> {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, PartResult>) : {};
}

export function keepResult(part: string, result: PartResult): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(RESULTS, JSON.stringify({ ...readResults(), [part]: result }, null, 2));
}

/** Forgets the cells of a part: it begins anew. */
export function forgetCells(part: string): void {
  rmSync(cellsFile(part), { force: true });
}

/** Keeps a cell as soon as it is played, so that an interrupted run can go on. */
export function keepCell(part: string, cell: CellResult): void {
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(cellsFile(part), `${JSON.stringify(cell)}\n`);
}

/**
 * Returns the cells of a part, the newest result of each; a line that a kill left half written is
 * none.
 */
export function readCells(part: string): ReadonlyMap<string, CellResult> {
  const file = cellsFile(part);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(lines.map((line) => JSON.parse(line) as CellResult).map((result) => [result.cell, result]));
}
