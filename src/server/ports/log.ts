/**
 * One JSON line per event: facts with ids first, then what happened. pino's logger is one of these.
 */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /**
   * Whether lines of this level are written, for what is not worth preparing otherwise; absent:
   * they are not.
   */
  isLevelEnabled?(level: 'debug'): boolean;
}
