import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import { openCredits } from '#compose/credits';
import { parseWallet } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import { USDC_ADDRESS } from '#local/chain/usdc';
import { LEASE_MS } from '#ports/leases';
import { until } from '#test/local/support/chain-harness';
import type { PaymentWorld, Transfer } from '#test/support/payment-world';
import type { ServiceProcess } from '#test/support/service-process';
import { EXPIRED } from '../matrix/faults.js';
import { type Answer, ask, type Call, sign } from '../matrix/payer.js';
import { preflight } from '../matrix/seller.js';
import { openSite, type Site } from '../matrix/site.js';
import { type Cell, isFacilitatorCall, type Trouble } from './cells.js';

/** An answer, and the transfers of its payer that had been made when it came. */
export interface Received {
  readonly answer: Answer;
  readonly transfers: number;
}

/** What happened in a cell. */
export interface Story {
  readonly cell: Cell;
  readonly payee: Address;
  /** All that the client of each process heard, up to its first 200 or 402. */
  readonly received: readonly Received[];
  /** The identical request again, at the process that is left. */
  readonly repeat: Answer;
  readonly transfers: readonly Transfer[];
  /** Of the wallet's ledger, as `kind credits`. */
  readonly ledger: readonly string[];
  readonly row: PaymentRow | null;
}

/** Answers every question of ERC-1271 with yes. */
const AGREEING_WALLET = `0x7f1626ba7e${'00'.repeat(28)}60005260206000f3` as const;
const WALLET_SIGNATURE: Hex = `0x${'ab'.repeat(96)}`;
/** So that what is to expire does so soon; see matrix/story.ts. */
export const SHORT_WINDOW_S = 60;
/** Inside the transaction of their row. */
const WRITING: ReadonlySet<string> = new Set(['claim.before', 'intent.before', 'confirm.before']);
const ASKS_MAX = 60;
const PAUSE_MS = 250;
/** A stopped process is given up after its lease, and taken over within a second. */
export const STOPPED_MS = LEASE_MS + 2_500;

/** Plays one cell on two processes, data and a wallet of its own. */
export async function play(world: PaymentWorld, cell: Cell): Promise<Story> {
  const site = await openSite(world, cell.fault);
  const { store } = openCredits(site.dataDir);
  const first = await preflight.start(site, crashAtOf(cell));
  const second = await preflight.start(site, null);
  try {
    const account = await world.newPayer(cell.operation.priceMicros * 2n);
    const windowS = cell.fault.reasons.includes(EXPIRED) ? SHORT_WINDOW_S : null;
    const signed = await sign(second.url!, cell.operation.call, { version: cell.version, account, windowS });
    const call = cell.payer === 'person' ? signed : await asSmartWallet(world, account.address, signed);
    const client = (process: ServiceProcess) => askUntilFinal(world, account.address, { process, call });
    const received = await receivedIn(cell, { site, first, second, client, settled: () => areTransfersBooked() });
    const left = first.isAlive() ? first : second;
    const repeat = await ask(left.url!, call);
    const wallet = parseWallet(account.address)!;
    const ledger = (await store.ledger(wallet, 10)).map(({ kind, credits }) => `${kind} ${credits}`);
    const transfers = await world.transfersFrom(account.address);
    return { cell, payee: world.payee, received, repeat, transfers, ledger, row: await rowOf() };

    async function rowOf(): Promise<PaymentRow | null> {
      return store.payment(keyIn(call));
    }

    /**
     * Every transfer to the payee has its answer or credits, though nobody asks; and no claim of a
     * dead process is left.
     */
    async function areTransfersBooked(): Promise<boolean> {
      const row = await rowOf();
      const paid = (await world.transfersFrom(account.address)).length;
      return paid > 0 ? row?.state === 'SETTLED' : row?.state !== 'CLAIMED';
    }
  } finally {
    first.goOn();
    await first.kill();
    await second.kill();
    await store.close();
    await site.close();
  }
}

function crashAtOf({ trouble }: Cell): string | null {
  if (trouble.kind === 'none' || isFacilitatorCall(trouble.at)) return null;
  return trouble.kind === 'killed' ? trouble.at : `stop:${trouble.at}`;
}

interface Scene {
  readonly site: Site;
  readonly first: ServiceProcess;
  readonly second: ServiceProcess;
  readonly client: (process: ServiceProcess) => Promise<readonly Received[]>;
  readonly settled: () => Promise<boolean>;
}

async function receivedIn(cell: Cell, scene: Scene): Promise<readonly Received[]> {
  const { trouble } = cell;
  if (trouble.kind === 'none') return bothAtOnce(scene);
  return trouble.kind === 'killed' ? afterAKill(cell, scene) : aroundAStop(cell, trouble.at, scene);
}

async function bothAtOnce({ first, second, client }: Scene): Promise<readonly Received[]> {
  return (await Promise.all([client(first), client(second)])).flat();
}

async function afterAKill({ asking }: Cell, { first, second, client, settled }: Scene): Promise<readonly Received[]> {
  const cut = client(first);
  const how = await first.gone;
  if (how !== 'SIGKILL') throw new Error(`it ended by itself (${how}):\n${first.output()}`);
  if (asking === 'later') await until(settled);
  return [...(await cut), ...(await client(second))];
}

async function aroundAStop(
  { asking }: Cell,
  at: Extract<Trouble, { kind: 'stopped' }>['at'],
  { site, first, second, client, settled }: Scene,
): Promise<readonly Received[]> {
  const original = client(first);
  if (isFacilitatorCall(at)) {
    const { faults } = site.facilitators[0]!;
    await until(async () => faults.calls({ operation: at }).length > 0);
    first.pause();
  } else {
    await until(async () => first.isStopped());
  }
  const copy = asking === 'at once' ? client(second) : null;
  await sleep(STOPPED_MS);
  // Stopped in the middle of a write it has the database, and nobody can write before it goes on.
  if (WRITING.has(at)) first.goOn();
  if (asking === 'later') await until(settled);
  first.goOn();
  const received = [...(await original), ...(await (copy ?? client(second)))];
  return received;
}

/** Sends the call until there is a 200 or a 402, or its process has died. */
async function askUntilFinal(
  world: PaymentWorld,
  payer: Address,
  { process, call }: { readonly process: ServiceProcess; readonly call: Call },
): Promise<readonly Received[]> {
  const received: Received[] = [];
  for (let asks = 0; asks < ASKS_MAX; asks++) {
    const before = (await world.transfersFrom(payer)).length;
    const answer = await ask(process.url!, call);
    // What had moved before it was sent is what an answer has to know of.
    received.push({ answer, transfers: before });
    if (answer.status !== 500) return received;
    await sleep(PAUSE_MS);
  }
  return received;
}

/** Returns the call with a signature that only a contract at the payer's address takes for good. */
export async function asSmartWallet(world: PaymentWorld, address: Address, call: Call): Promise<Call> {
  await world.chain.client.setCode({ address, bytecode: AGREEING_WALLET });
  const [name, header] = Object.entries(call.headers!)[0]!;
  const payment = JSON.parse(atob(header));
  payment.payload.signature = WALLET_SIGNATURE;
  return { ...call, headers: { [name]: btoa(JSON.stringify(payment)) } };
}

/** Returns what the store calls the payment of a call. */
export function keyIn({ headers = {} }: Call): PaymentRow['key'] {
  const { from, nonce } = JSON.parse(atob(Object.values(headers)[0]!)).payload.authorization;
  return `8453:${USDC_ADDRESS}:${from}:${nonce}`.toLowerCase() as PaymentRow['key'];
}
