import type { TapeWallet, WalletAddress } from '#domain/ids';
import type { JobName } from '#ports/job-leases';

/** The rows of the ratings file that there are one of. */
export const BOARD_KEY = 'board';
/** The newest run that began to keep ratings, in force or not. */
export const DRAFT_KEY = 'draft';
export const RUN_REPORT_KEY = 'run-report';
export const PROFILE_MEAN_KEY = 'profile-mean-ms';
export const RATINGS = 'rating/';
export const DEMAND_RATINGS = 'demand/';
export const WALLET_ROWS = 'wallet/';
export const HISTORIES = 'history/';
export const SCORES = 'score/';
export const BASES = 'basis/';
export const FOLLOWS = 'follow/';

/**
 * Digits of a run number or a second; with leading zeros, texts sort like the numbers. Every safe integer fits.
 */
const NUMBER_DIGITS = 16;

const sortable = (number: number): string => String(number).padStart(NUMBER_DIGITS, '0');

/** Keys of the rows, each named by what it is found with. */
export const ratingsOfRun = (run: number): string => `${RATINGS}${sortable(run)}/`;
export const ratingKey = (run: number, wallet: TapeWallet): string => `${ratingsOfRun(run)}${wallet}`;
export const publishedKey = (run: number): string => `published/${sortable(run)}`;
export const historyOf = (wallet: TapeWallet): string => `${HISTORIES}${wallet}/`;
export const historyKey = (wallet: TapeWallet, run: number): string => `${historyOf(wallet)}${sortable(run)}`;
export const demandKey = (wallet: TapeWallet): string => `${DEMAND_RATINGS}${wallet}`;
/** Days sort as texts. */
export const scoreKey = (day: string): string => `${SCORES}${day}`;
export const jobKey = (job: JobName): string => `job/${job}`;
/** Moments sort as texts. */
export const followKey = (asOfS: number): string => `${FOLLOWS}${sortable(asOfS)}`;
export const basesOf = (asOfS: number): string => `${BASES}${sortable(asOfS)}/`;
export const basisKey = (asOfS: number, wallet: TapeWallet): string => `${basesOf(asOfS)}${wallet}`;
export const walletRowKey = (wallet: TapeWallet): string => `${WALLET_ROWS}${wallet}`;

/** Returns run and wallet out of the key of a rating. */
export function partsOfRatingKey(key: string): { readonly run: number; readonly wallet: TapeWallet } {
  const at = RATINGS.length + NUMBER_DIGITS;
  return { run: Number(key.slice(RATINGS.length, at)), wallet: key.slice(at + 1) };
}

/** Returns the run out of the key of a verdict in a wallet's history. */
export function runOfHistoryKey(key: string): number {
  return Number(key.slice(-NUMBER_DIGITS));
}

/** Returns the wallet out of the key of a verdict in its history. */
export function walletOfHistoryKey(key: string): TapeWallet {
  return key.slice(HISTORIES.length, -NUMBER_DIGITS - 1);
}

/** Returns the wallet out of the key of a row of a wallet, which was made by `walletRowKey`. */
export function walletOfRowKey(key: string): WalletAddress {
  return key.slice(WALLET_ROWS.length) as WalletAddress;
}

/** Returns moment and wallet out of the key of a basis. */
export function partsOfBasisKey(key: string): { readonly asOfS: number; readonly wallet: TapeWallet } {
  const at = BASES.length + NUMBER_DIGITS;
  return { asOfS: Number(key.slice(BASES.length, at)), wallet: key.slice(at + 1) };
}
