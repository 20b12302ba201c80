/**
 * Loaded before the service (--import): the one host that gets tokens of CDP is found on loopback,
 * at CDP_STANDS_AT, as an entry of a resolver would do it. Everything else is asked where it is.
 */
const HOST = 'https://api.cdp.coinbase.com/';
const { CDP_STANDS_AT } = process.env;
const ask = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = String(input);
  return CDP_STANDS_AT !== undefined && url.startsWith(HOST)
    ? ask(`${CDP_STANDS_AT}/${url.slice(HOST.length)}`, init)
    : ask(input, init);
};
