import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { createPublicClient, erc20Abi, formatUnits, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { checkInstance, DATA_DIR_USUAL, type LocalFacts, readLocalFacts, urlToPay } from './pay-facts.js';

/**
 * `npm run pay`: pays for one verdict of the running local profile as any x402 client would, and
 * shows the money move.
 */
async function main(): Promise<void> {
  const facts = readLocalFacts(process.env.DATA_DIR || DATA_DIR_USUAL);
  if (facts.rpcUrl === null) throw new Error('the local profile runs without a chain, so nothing can be paid here');
  const url = urlToPay(facts, process.argv[2]);
  await checkInstance(facts);
  const before = await balances(facts, facts.rpcUrl);
  const account = privateKeyToAccount(facts.demoWallet.privateKey as Hex);
  const payingFetch = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  });
  const answer = await payingFetch(url);
  console.log(await answer.json());
  const receipt = answer.headers.get('PAYMENT-RESPONSE');
  if (receipt !== null) console.log('settled:', decodePaymentResponseHeader(receipt));
  const after = await balances(facts, facts.rpcUrl);
  console.log(`demo wallet: ${before.payer} -> ${after.payer} USDC, payee: ${before.payee} -> ${after.payee} USDC`);
}

async function balances({ usdc, demoWallet, payee }: LocalFacts, rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const balanceOf = async (account: string) => {
    const call = { address: usdc as Hex, abi: erc20Abi, functionName: 'balanceOf', args: [account as Hex] } as const;
    return formatUnits(await client.readContract(call), 6);
  };
  return { payer: await balanceOf(demoWallet.address), payee: await balanceOf(payee) };
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
