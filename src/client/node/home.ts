import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder of the client's state: PREFLIGHT_HOME, else where the platform keeps such
 * things.
 */
export function stateHome(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  if (env.PREFLIGHT_HOME) return env.PREFLIGHT_HOME;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'preflight');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'preflight');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'preflight');
}
