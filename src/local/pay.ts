import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { createPublicClient, erc20Abi, formatUnits, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';

const hex = z.templateLiteral(['0x', z.string()]);
const LocalFactsSchema = z.object({
  url: z.url(),
  rpcUrl: z.url().nullable(),
  usdc: hex,
  payee: hex,
  demoWallet: z.object({ address: hex, privateKey: hex }),
  exampleSlug: z.string(),
  exampleOutcome: z.string(),
});

type LocalFacts = z.infer<typeof LocalFactsSchema>;

/** `npm run pay`: pays for one verdict of the running local profile as any x402 client would, and shows the money move. */
async function main(): Promise<void> {
  const facts = readFacts(process.env.DATA_DIR || './data');
  if (facts.rpcUrl === null) throw new Error('the local profile runs without a chain, so nothing can be paid here');
  const before = await balances(facts, facts.rpcUrl);
  const url =
    process.argv[2] ??
    `${facts.url}/api/preflight_trade?slug=${facts.exampleSlug}&outcome=${encodeURIComponent(facts.exampleOutcome)}&usd=250`;
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

function readFacts(dataDir: string): LocalFacts {
  const file = join(dataDir, 'local.json');
  try {
    return LocalFactsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} cannot be read: run npm start first, with the same DATA_DIR`, { cause });
  }
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
