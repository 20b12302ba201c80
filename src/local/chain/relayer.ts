import type { FacilitatorEvmSigner } from '@x402/evm';
import { concatHex, encodeFunctionData, type Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Call } from './chain-sends.js';
import type { LocalChain } from './local-chain.js';
import { waitForReceipt } from './receipts.js';

type ContractCall = Parameters<FacilitatorEvmSigner['writeContract']>[0];

/**
 * Returns what the x402 facilitator does on a chain, done on the local one by the relayer's key.
 */
export function createRelayer(chain: LocalChain, confirmMsMax: number): FacilitatorEvmSigner {
  const { client, keys } = chain;
  const { address } = privateKeyToAccount(keys.relayer);
  return {
    getAddresses: () => [address],
    readContract: (args) => client.readContract(args),
    verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
    getCode: (args) => client.getCode(args),
    writeContract: (args) => chain.send(keys.relayer, toCall(args)),
    sendTransaction: (call) => chain.send(keys.relayer, call),
    waitForTransactionReceipt: ({ hash }) => waitForReceipt(client, hash, confirmMsMax),
  };
}

/**
 * Returns a relayer that hands its transactions to the given function instead of sending them, and
 * tires of waiting at once.
 */
export function createLateRelayer(
  chain: LocalChain,
  relayer: FacilitatorEvmSigner,
  sendLater: (send: () => Promise<void>) => void,
): FacilitatorEvmSigner {
  return {
    ...relayer,
    async writeContract(args): Promise<Hash> {
      const signed = await chain.signForLater(toCall(args));
      sendLater(() => signed.send());
      return signed.hash;
    },
    waitForTransactionReceipt: async ({ hash }) => {
      throw new Error(`timed out waiting for ${hash}`);
    },
  };
}

function toCall({ address, abi, functionName, args, dataSuffix }: ContractCall): Call {
  const data = encodeFunctionData({ abi, functionName, args });
  return { to: address, data: dataSuffix === undefined ? data : concatHex([data, dataSuffix]) };
}
