/** The command was not understood, or lacks something; the text says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
