import { createThirdwebClient } from 'thirdweb';
import { defineChain } from 'thirdweb/chains';
import { createWalletAdapter, privateKeyToAccount } from 'thirdweb/wallets';
import { wrapFetchWithPayment } from 'thirdweb/x402';
import { parseAbi } from 'viem';
import { byFetch } from './answers.mjs';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
]);

/** It asks the internet which functions the token has: here it is told those of USDC that matter. */
function answerAboutToken() {
  const real = globalThis.fetch;
  const isAsked = (input) => String(input?.url ?? input).includes('/abi/8453/');
  globalThis.fetch = async (input, init) => (isAsked(input) ? Response.json(TOKEN) : real(input, init));
  return real;
}

export async function open({ privateKey, rpc }) {
  const real = answerAboutToken();
  const client = createThirdwebClient({ clientId: 'none' });
  const none = async () => {};
  const wallet = createWalletAdapter({
    adaptedAccount: privateKeyToAccount({ client, privateKey }),
    chain: defineChain({ id: 8453, rpc }),
    client,
    onDisconnect: none,
    switchChain: none,
  });
  // As the browser has it: fetch is called as a function of nothing.
  return byFetch(wrapFetchWithPayment((input, init) => real(input, init), client, wallet));
}
