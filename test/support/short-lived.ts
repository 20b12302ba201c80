/**
 * Options of node for processes that live for seconds: what V8 optimises is not used often enough
 * to pay for it, young objects need no second look, and node_modules has no links that matter. They
 * take a quarter of the CPU of a start, of which there are hundreds.
 */
export const SHORT_LIVED: readonly string[] = [
  '--no-opt',
  '--min-semi-space-size=16',
  '--max-semi-space-size=64',
  '--preserve-symlinks',
  '--preserve-symlinks-main',
];
