import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '#adapters/process/make-folder';
import { type Config, ConfigError } from '#config/config';

export { makeFolder };

/** The folders that settings name. */
type Places = Pick<Config, 'dataDir' | 'keysDir'>;

/**
 * Returns what keeps a folder of the settings from being made, by the name of the setting; null:
 * nothing that can be seen.
 */
export function faultOfPlaces(places: Places): string | null {
  for (const [name, dir] of byName(places)) {
    const location = nearest(resolve(dir));
    if (!statSync(location).isDirectory()) return `${name} cannot be made: ${location} is no folder`;
  }
  return null;
}

/**
 * Makes the folders of the settings where they are not there. Throws a ConfigError where one cannot
 * be.
 */
export function makePlaces(places: Places): void {
  const fault = faultOfPlaces(places);
  if (fault !== null) throw new ConfigError([fault]);
  for (const [name, dir] of byName(places)) {
    try {
      makeFolder(dir);
    } catch (error) {
      throw new ConfigError([`${name} cannot be made: ${(error as Error).message}`]);
    }
  }
}

/** What of a path is there: the path, or the nearest above it. */
export function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function byName({ dataDir, keysDir }: Places): readonly (readonly [name: string, dir: string])[] {
  return [
    ['DATA_DIR', dataDir],
    ['KEYS_DIR', keysDir],
  ];
}
