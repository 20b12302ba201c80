import { privateKeyToAccount } from 'viem/accounts';
import { serveStdio } from '#client/stdio/serve-stdio';

/** The server as a process: `baseUrl` is the argument; key and token come from the environment. */
const { PREFLIGHT_PRIVATE_KEY: key, PREFLIGHT_TOKEN: token } = process.env;
await serveStdio({
  baseUrl: process.argv[2]!,
  ...(key === undefined ? {} : { account: privateKeyToAccount(key as `0x${string}`) }),
  ...(token === undefined ? {} : { token }),
});
