/** Loaded first by `npm run prove`: the suites it names run at full size. */
process.env.PROVE = '1';

/**
 * Ends by way of `exit`, so that what was started ends too; a test that has more to do at an
 * interruption listens itself.
 */
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(130);
});
