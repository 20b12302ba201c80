import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MarketIds } from '#local/venue/live-market';
import { readRecording } from '#local/venue/recording/recording';
import { ROOT } from '#test/support/source-tree';

const FOLDER = resolve(ROOT, '../shared/captures/ws-market/mlb-2025');
const SUFFIX = '_polymarket-market-events.csv.gz';
/** Frames taken of one game, so that the longest do not drown the others. */
const FRAMES_PER_GAME_MAX = 4_000;

export interface RecordedGames {
  readonly names: readonly string[];
  readonly frames: readonly string[];
  readonly ids: readonly MarketIds[];
}

/** Reads the beginnings of the recorded games, or returns null where they are not on this machine. */
export async function readGames(): Promise<RecordedGames | null> {
  if (!existsSync(FOLDER)) return null;
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(SUFFIX));
  const frames: string[] = [];
  const ids: MarketIds[] = [];
  for (const name of files) {
    const recording = await readRecording(join(FOLDER, name));
    frames.push(...recording.frames.slice(0, FRAMES_PER_GAME_MAX).map(({ text }) => text));
    ids.push(...recording.markets.map((market) => market.ids));
  }
  return { names: files, frames, ids };
}
