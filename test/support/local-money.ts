import { type Address, type Hex, parseEventLogs } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createChainClient } from '#local/chain/chain-client';
import type { FacilitatorCall, FaultPlan } from '#local/chain/facilitator-faults';
import { USDC_ADDRESS, usdcAbi } from '#local/chain/usdc';
import type { LocalProcess } from './local-process.js';
import { signTransfer, toPaymentV2 } from './payment-headers.js';
import { type Account, newAccount } from './signed-payments.js';

/** The money of a running local profile, seen from outside. Amounts are micro-USDC. */
export interface LocalMoney {
  /** A new wallet with so much of the demo wallet's money. */
  newWallet(micros: bigint): Promise<Account>;
  /** Gives a wallet so much of the demo wallet's money. */
  fund(wallet: Address, micros: bigint): Promise<void>;
  balanceOf(wallet: Address): Promise<bigint>;
  /** Who paid whom how much in a transaction. */
  transfersIn(transaction: Hex): Promise<readonly { from: Address; to: Address; value: bigint }[]>;
  /** The payee's balance: it grows with every payment. */
  earned(): Promise<bigint>;
  /**
   * What the facilitator was asked about payments to the payee, since its faults were last cleared.
   */
  facilitatorCalls(): Promise<readonly FacilitatorCall[]>;
  /** Makes the facilitator do this. */
  plan(plan: FaultPlan): Promise<void>;
  /** Ends the facilitator's faults and forgets its calls. */
  clear(): Promise<void>;
}

/** Returns the money of a local profile that runs with a chain. */
export function moneyOf({ facts }: LocalProcess): LocalMoney {
  const client = createChainClient(facts.rpcUrl!);
  const { url, controlUrl } = facts.facilitator!;
  const funding = new Set<string>();
  const balanceOf = (wallet: Address) =>
    client.readContract({ address: USDC_ADDRESS, abi: usdcAbi, functionName: 'balanceOf', args: [wallet] });

  /** Through the facilitator, whose transactions survive a kill -9 of the chain. */
  async function giveTo(wallet: Address, micros: bigint): Promise<void> {
    const amount = String(micros);
    const transfer = {
      to: wallet,
      value: amount,
      validAfter: '0',
      validBefore: await soon(),
      nonce: generatePrivateKey(),
    };
    funding.add(transfer.nonce);
    const signed = await signTransfer(privateKeyToAccount(facts.demoWallet.privateKey), transfer);
    const paymentPayload = toPaymentV2(signed, { url: facts.url, amount, asset: USDC_ADDRESS, payTo: wallet });
    const body = { x402Version: 2, paymentPayload, paymentRequirements: paymentPayload.accepted };
    const { success } = (await request(`${url}/settle`, 'POST', body)) as { success: boolean };
    if (!success) throw new Error('the demo wallet cannot fund another one');
  }

  const soon = async () => String((await client.getBlock()).timestamp + 3_600n);

  return {
    async newWallet(micros) {
      const account = newAccount();
      await giveTo(account.address, micros);
      return account;
    },
    fund: giveTo,
    balanceOf,
    earned: () => balanceOf(facts.payee),
    async transfersIn(hash) {
      const { logs } = await client.getTransactionReceipt({ hash });
      return parseEventLogs({ abi: usdcAbi, logs, eventName: 'Transfer' }).map(({ args }) => args);
    },
    async facilitatorCalls() {
      const calls = (await request(`${controlUrl}/calls`, 'GET')) as readonly FacilitatorCall[];
      // What it supports is asked by the service itself, at its start and while it is idle.
      const paying = calls.filter(({ operation }) => operation !== 'supported');
      return paying.filter(({ nonce }) => nonce === undefined || !funding.has(nonce));
    },
    plan: async (plan) => void (await request(`${controlUrl}/faults`, 'POST', plan)),
    clear: async () => void (await request(`${controlUrl}/faults`, 'DELETE')),
  };
}

async function request(url: string, method: string, body?: object): Promise<unknown> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url, { method, ...(body === undefined ? {} : json) });
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}
