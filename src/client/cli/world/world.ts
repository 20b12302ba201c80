import type { ClientSystem } from '../../system.js';

/** A stream of text that a person or a program reads. */
export interface Screen {
  /** Whether a person looks at it: only then there are colours and redrawing. */
  readonly isTerminal: boolean;
  /** Size in characters; of what is no terminal 80 by 24. */
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Resolves when all of it is written, and rejects if it cannot be. */
  flushed(): Promise<void>;
}

/** All that the command line needs of its process. Tests bring their own. */
export interface CliWorld {
  readonly out: Screen;
  readonly err: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly system: ClientSystem;
  /** Ends every call: Ctrl-C, SIGTERM. */
  readonly signal: AbortSignal;
  /** Returns all of standard input, at most `bytesMax`. Rejects if there is more. */
  readInput(bytesMax: number): Promise<string>;
  /**
   * Returns one line of standard input: piped in, or typed at a prompt that does not show it.
   * Empty: there was none.
   */
  readSecret(name: string): Promise<string>;
}

/**
 * Names of the settings that are taken from the environment: from the process, never from a file of
 * the folder.
 */
export const ENV = {
  url: 'PREFLIGHT_URL',
  home: 'PREFLIGHT_HOME',
  keyFile: 'PREFLIGHT_KEY_FILE',
  key: 'PREFLIGHT_PRIVATE_KEY',
  tokenFile: 'PREFLIGHT_TOKEN_FILE',
  token: 'PREFLIGHT_TOKEN',
} as const;
