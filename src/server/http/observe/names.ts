/** Of everything that is ours; what is not says of itself whose it is (`process_`, `nodejs_`). */
export const PREFIX = 'preflight_';
