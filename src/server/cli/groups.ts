import type { Command } from 'commander';

interface Group {
  readonly name: string;
  readonly about: string;
  /** Loads what its commands stand on: the store, the tape, the chain. */
  addCommands(program: Command): Promise<void>;
}

const GROUPS: readonly Group[] = [
  {
    name: 'admin',
    about: 'operator commands on a data directory',
    addCommands: async (program) => (await import('./admin/admin.js')).addAdminCommands(program),
  },
  {
    name: 'tape',
    about: 'the trade tape of a data directory',
    addCommands: async (program) => (await import('./tape/tape.js')).addTapeCommands(program),
  },
  {
    name: 'ratings',
    about: 'the wallet ratings of a data directory',
    addCommands: async (program) => (await import('./ratings/ratings.js')).addRatingsCommands(program),
  },
  {
    name: 'store',
    about: 'the store of credits and payments, as a whole',
    addCommands: async (program) => (await import('./store/store.js')).addStoreCommands(program),
  },
  {
    name: 'venue',
    about: 'what the service takes for granted of the venue',
    addCommands: async (program) => (await import('./venue/venue.js')).addVenueCommands(program),
  },
];

/** The first words of the operator's commands. */
export const GROUP_NAMES: readonly string[] = GROUPS.map(({ name }) => name);

/**
 * Adds the groups of commands. Only that which a command line names has its commands, and is
 * loaded: `--version` and `--help` need none, and loading all of them is most of the time that a
 * command takes.
 */
export async function addGroups(program: Command, words: readonly string[]): Promise<void> {
  const named = words.find((word) => GROUPS.some(({ name }) => name === word));
  for (const { name, about, addCommands } of GROUPS) {
    program.command(name).description(about);
    if (name === named) await addCommands(program);
  }
}
