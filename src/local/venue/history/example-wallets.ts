import type { WalletAddress } from '#domain/ids';
import { walletOf } from '../market/deterministic-ids.js';
import { dayOf } from './calendar.js';
import {
  MARKET_MAKERS,
  PLANNED_WALLETS,
  type PlannedWallet,
  ROLES,
  VISIT_DAYS,
  visitorOf,
  type WalletRole,
} from './roles.js';

/** A wallet of the local venue that shows something. */
export interface ExampleWallet {
  readonly address: WalletAddress;
  readonly name: string;
  readonly role: WalletRole | 'never-traded';
  /** What it is good for: "skilled: enough entries and edge for a COPY". */
  readonly description: string;
}

/**
 * A visit that begins so many days ago, or up to a visit later, has ended more than 62 days ago,
 * where the bare feed of the Data API (this and the previous month) ends, and lies inside the 90
 * days of a rating.
 */
const UNSEEN_VISIT_AGE_DAYS = 89;

/**
 * Returns every planned wallet at this moment, skilled ones first, with what it shows; the last has
 * never traded.
 */
export function exampleWallets(nowMs: number): readonly ExampleWallet[] {
  const makers = MARKET_MAKERS.map((wallet) => describe({ wallet, role: 'market-maker', habits: [] }));
  const visitor = describe(unseenVisitor(nowMs));
  return [...PLANNED_WALLETS.map(describe), ...makers, visitor, NEVER_TRADED];
}

/**
 * Returns the visitor whose whole visit lies so far back that the Data API's bare feed (this and
 * the previous month) does not show it: a tape made from that feed learns of it only when it asks
 * for the wallet.
 */
function unseenVisitor(nowMs: number): PlannedWallet {
  return visitorOf(Math.ceil((dayOf(nowMs / 1_000) - UNSEEN_VISIT_AGE_DAYS) / VISIT_DAYS));
}

const NEVER_TRADED: ExampleWallet = {
  address: walletOf('nobody at all'),
  name: '',
  role: 'never-traded',
  description: 'has never traded: NO_COVERAGE',
};

function describe({ wallet, role }: PlannedWallet): ExampleWallet {
  return { address: wallet.address, name: wallet.name, role, description: ROLES[role] };
}
