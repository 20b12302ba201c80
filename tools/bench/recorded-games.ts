import { basename } from 'node:path';
import type { MarketIds } from '#local/venue/market/live-market';
import { readRecording } from '#local/venue/recording/recording';
import { gameFiles } from '#test/support/captures';

/** Frames taken of one game, so that the longest do not drown the others. */
const FRAMES_PER_GAME_MAX = 4_000;

export interface RecordedGames {
  readonly names: readonly string[];
  readonly frames: readonly string[];
  readonly ids: readonly MarketIds[];
}

/**
 * Reads the beginnings of the recorded games, or returns null when they are not on this machine.
 */
export async function readGames(): Promise<RecordedGames | null> {
  const files = gameFiles();
  if (files.length === 0) return null;
  const frames: string[] = [];
  const ids: MarketIds[] = [];
  for (const file of files) {
    const recording = await readRecording(file);
    frames.push(...recording.frames.slice(0, FRAMES_PER_GAME_MAX).map(({ text }) => text));
    ids.push(...recording.markets.map((market) => market.ids));
  }
  return { names: files.map((file) => basename(file)), frames, ids };
}
