/** Loaded first by `npm run prove`: the suites it names run at full size. */
process.env.PROVE = '1';
