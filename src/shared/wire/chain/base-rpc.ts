import { z } from 'zod';

/**
 * Answers of Ethereum's JSON-RPC, as far as they are read. Numbers come as "0x" and hexadecimal
 * digits without leading zeros.
 */

/** Block numbers, times and indexes are far below 2^53. */
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);
const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .toLowerCase();

const BlockSchema = z.object({ number: quantity, timestamp: quantity });
const BoolSchema = hex.regex(/^0x0{63}[01]$/).transform((word) => word.endsWith('1'));
const LogSchema = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  blockNumber: quantity,
  transactionHash: hex,
  logIndex: quantity,
  removed: z.boolean().nullish(),
});
const ReceiptSchema = z.object({ status: hex.regex(/^0x[01]$/), logs: z.array(LogSchema) }).nullable();

const ErrorSchema = z.object({ code: z.number(), message: z.string() });
const CONTRACT_FAILED =
  /revert|out of gas|opcode|bad instruction|invalid ?jump|stack ?(under|over)flow|evm error|vm execution/i;

/** What came of calling a contract; one that failed returned nothing. */
export type RpcCallResult = { readonly kind: 'returned'; readonly data: string } | { readonly kind: 'failed' };

export interface RpcBlock {
  readonly number: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** All hexadecimal text in lower case. */
export interface RpcLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: number;
  readonly transactionHash: string;
  /** Place in the block. */
  readonly logIndex: number;
}

/** The receipt of a transaction; one that failed moved nothing, and has no logs. */
export type RpcReceipt =
  | { readonly kind: 'succeeded' | 'failed'; readonly logs: readonly RpcLog[] }
  /** The endpoint knows no such transaction, or none that is in a block. */
  | { readonly kind: 'missing' };

/**
 * Each returns null if the answer is something else; logs that a reorganization took back are left
 * out.
 */
export function parseQuantity(raw: unknown): number | null {
  return quantity.safeParse(raw).data ?? null;
}

export function parseBlock(raw: unknown): RpcBlock | null {
  return BlockSchema.safeParse(raw).data ?? null;
}

/** The one word that a function of Solidity returns for a bool. */
export function parseBool(raw: unknown): boolean | null {
  return BoolSchema.safeParse(raw).data ?? null;
}

/** What a contract returned, in hexadecimal digits after 0x. */
export function parseReturned(raw: unknown): RpcCallResult | null {
  const { data } = hex.safeParse(raw);
  return data === undefined ? null : { kind: 'returned', data };
}

/**
 * That the contract failed, as the error of a call says; null: the endpoint did. Code 3 is a revert
 * with its data; without data every client has its own code and words.
 */
export function parseContractFailure(raw: unknown): RpcCallResult | null {
  const { data } = ErrorSchema.safeParse(raw);
  const isContracts = data !== undefined && (data.code === 3 || CONTRACT_FAILED.test(data.message));
  return isContracts ? { kind: 'failed' } : null;
}

/** Whether there is code: "0x" is what an address without any has. */
export function parseHasCode(raw: unknown): boolean | null {
  const code = hex.safeParse(raw).data;
  return code === undefined ? null : code !== '0x';
}

export function parseLogs(raw: unknown): readonly RpcLog[] | null {
  return (
    z
      .array(LogSchema)
      .safeParse(raw)
      .data?.filter((log) => log.removed !== true) ?? null
  );
}

export function parseReceipt(raw: unknown): RpcReceipt | null {
  const { data } = ReceiptSchema.safeParse(raw);
  if (data === undefined) return null;
  return data === null
    ? { kind: 'missing' }
    : { kind: data.status === '0x1' ? 'succeeded' : 'failed', logs: data.logs };
}
