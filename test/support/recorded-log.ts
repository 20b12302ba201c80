import type { Log } from '#ports/log';

/** A log that keeps its lines: level, message, and the text of an error if there is one. */
export class RecordedLog implements Log {
  readonly lines: string[] = [];
  readonly facts: object[] = [];
  readonly debug = this.#recorder('debug');
  readonly info = this.#recorder('info');
  readonly warn = this.#recorder('warn');
  readonly error = this.#recorder('error');

  #recorder(level: string) {
    return (facts: object, message: string): void => {
      const error = 'err' in facts && facts.err instanceof Error ? `: ${facts.err.message}` : '';
      this.lines.push(`${level} ${message}${error}`);
      this.facts.push(facts);
    };
  }
}
