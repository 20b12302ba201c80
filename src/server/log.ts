import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';

/** What is never written, whatever object it sits in, down to the third level. */
const SECRET_NAMES = ['authorization', 'payment-signature', 'x-payment', 'token', 'secret'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => ['', '*', '*.*'].map((parent) => `${parent}["${name}"]`));

/**
 * Returns a logger that writes one JSON line per event to `destination`.
 * Secrets are replaced by name as the last line of defense: events should not carry them at all.
 */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '***' },
  };
  return pino(options, destination);
}

export { destination } from 'pino';
