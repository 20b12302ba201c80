import { Problem } from '#domain/errors';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { TransferPosition } from '#domain/payment/proof';
import type {
  ChainReader,
  Facilitator,
  ReceiptReading,
  Resolution,
  SettleOutcome,
  VerifyOutcome,
} from '#ports/settlement';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';

/** What an upstream does when it is asked. */
export type Mood = 'well' | 'silent' | 'away';
/** A facilitator can lose its voice after it has sent the transfer, too. */
export type FacilitatorMood = Mood | 'mute' | 'pending' | 'refuses';

const BLOCK_MS = 2_000;
/** How deep a block lies that no reorganization changes. */
const DEEP_MS = 12 * BLOCK_MS;
/** The limits of the adapters that these stand in for. */
const CHAIN_ANSWER_MS_MAX = 1_600;
const VERIFY_MS_MAX = 5_000;
const SETTLE_MS_MAX = 12_000;
const VENUE_ANSWER_MS_MAX = 2_400;

interface Transfer extends TransferPosition {
  readonly from: string;
  readonly valueMicros: bigint;
  readonly landsAtMs: number;
}

interface UpstreamDeps {
  readonly clock: Clock;
  /** Those of no process: what was sent goes on when its sender is dead. */
  readonly timers: Timers;
  /** Milliseconds that an answer takes. */
  readonly answerMs: () => number;
}

/** The chain, its facilitators and the venue, at the ports of the service; their time is true. */
export class Upstreams {
  readonly moods: { chain: Mood; venue: Mood; facilitators: FacilitatorMood[] } = {
    chain: 'well',
    venue: 'well',
    facilitators: ['well', 'well'],
  };
  /** By the nonce of their authorization. */
  readonly transfers = new Map<string, Transfer>();
  /** Nonces that were sent to a facilitator who gave no answer, and who moved nothing. */
  readonly unheard = new Set<string>();
  readonly #deps: UpstreamDeps;
  readonly #restsUntilMs = [0, 0];

  constructor(deps: UpstreamDeps) {
    this.#deps = deps;
  }

  heal(): void {
    this.moods.chain = 'well';
    this.moods.venue = 'well';
    this.moods.facilitators = ['well', 'well'];
  }

  /** `hear`: whom each answer says what time it is. */
  chain(): ChainReader {
    const health = () => ({ name: 'base-rpc', ok: true, lastOkAtMs: null, lastError: null });
    const away = { kind: 'unknown', reason: 'no endpoint answers' } as const;
    const answer = async <T>(of: () => T, otherwise: NoInfer<T>): Promise<T> =>
      (await this.#isAnswered(this.moods.chain, CHAIN_ANSWER_MS_MAX)) ? of() : otherwise;
    const landed = ({ authorization }: SignedPayment) => {
      const found = this.transfers.get(authorization.nonce);
      return found !== undefined && found.landsAtMs <= this.#nowMs ? found : null;
    };
    const placeOf = ({ transaction, blockNumber, logIndex }: Transfer) => ({ transaction, blockNumber, logIndex });
    return {
      head: () => answer<Awaited<ReturnType<ChainReader['head']>>>(() => this.#head(), null),
      stateAtHead: (payment) =>
        answer<Awaited<ReturnType<ChainReader['stateAtHead']>>>(
          () => ({ blockNumber: this.#block, isSpent: landed(payment) !== null }),
          null,
        ),
      resolve: (payment) =>
        answer<Resolution>(() => {
          const transfer = landed(payment);
          if (transfer !== null) return { kind: 'paid', ...placeOf(transfer) };
          const deepS = this.#blockS - DEEP_MS / 1e3;
          const isOver = deepS >= Number(payment.authorization.validBefore);
          return isOver ? { kind: 'expired' } : { kind: 'unused', chainTimeS: this.#blockS };
        }, away),
      receipt: (_, payment) =>
        answer<ReceiptReading>(() => {
          const transfer = landed(payment);
          return transfer === null ? { kind: 'missing' } : { kind: 'paid', ...placeOf(transfer) };
        }, away),
      hasCode: async () => 'no_code',
      isSignedByWallet: async () => 'not_signed',
      holds: async () => true,
      transfersTo: async () => null,
      health,
    };
  }

  facilitator(index: number): Facilitator {
    const name = `facilitator-${index + 1}`;
    const mood = () => this.moods.facilitators[index]!;
    const fail = <T>(outcome: T): T => {
      this.#restsUntilMs[index] = this.#nowMs + 1_000;
      return outcome;
    };
    return {
      name,
      isResting: () =>
        this.#nowMs < this.#restsUntilMs[index]! || (mood() === 'away' && this.#restsUntilMs[index]! > 0),
      verify: async (payment): Promise<VerifyOutcome> => {
        const state = mood();
        const how = state === 'silent' || state === 'away' ? state : 'well';
        if (!(await this.#isAnswered(how, VERIFY_MS_MAX))) return fail({ kind: 'unavailable', reason: 'no answer' });
        return this.#takes(payment) ? { kind: 'valid' } : { kind: 'invalid', reason: 'invalid_exact_evm_payload' };
      },
      settle: async (payment, demand): Promise<SettleOutcome> => {
        const state = mood();
        const unknown = { kind: 'unknown', reason: 'no answer', transaction: null } as const;
        if (state === 'away') return fail({ kind: 'not_sent', reason: 'connection refused' });
        if (state === 'refuses') return { kind: 'rejected', reason: 'insufficient_funds' };
        if (state === 'silent') {
          this.unheard.add(payment.authorization.nonce);
          await this.#deps.timers.sleep(SETTLE_MS_MAX);
          return fail(unknown);
        }
        const transaction = this.#send(payment, demand);
        if (state === 'mute') {
          await this.#deps.timers.sleep(SETTLE_MS_MAX);
          return fail(unknown);
        }
        await this.#deps.timers.sleep(this.#deps.answerMs());
        return state === 'pending' || transaction === null
          ? { kind: 'unknown', reason: 'pending', transaction }
          : { kind: 'settled', transaction };
      },
      health: () => ({ name, ok: true, lastOkAtMs: null, lastError: null }),
    };
  }

  /** Rejects as the adapters of the venue do. */
  async askVenue(): Promise<void> {
    if (await this.#isAnswered(this.moods.venue, VENUE_ANSWER_MS_MAX)) return;
    throw new Problem('venue_unavailable', 'the venue does not answer');
  }

  get #nowMs(): number {
    return this.#deps.clock.elapsedMs();
  }

  #head() {
    return { blockNumber: this.#block, timestampS: this.#blockS };
  }

  get #block(): number {
    return Math.floor(this.#nowMs / BLOCK_MS) % 1_000_000_000;
  }

  get #blockS(): number {
    return (Math.floor(this.#nowMs / BLOCK_MS) * BLOCK_MS) / 1e3;
  }

  async #isAnswered(mood: Mood, msMax: number): Promise<boolean> {
    const ms = { well: this.#deps.answerMs(), silent: msMax, away: 0 }[mood];
    if (ms > 0) await this.#deps.timers.sleep(ms);
    return mood === 'well';
  }

  /** As a simulation of the newest block shows it. */
  #takes({ authorization }: SignedPayment): boolean {
    const { nonce, validAfter, validBefore } = authorization;
    return !this.transfers.has(nonce) && Number(validAfter) < this.#blockS && this.#blockS < Number(validBefore);
  }

  /** The token takes an authorization once, in the next block; returns null where it takes none. */
  #send(payment: SignedPayment, { amountMicros }: PaymentDemand): string | null {
    const { nonce, from } = payment.authorization;
    const sent = this.transfers.get(nonce);
    if (sent !== undefined) return sent.transaction;
    if (!this.#takes(payment)) return null;
    const number = this.transfers.size + 1;
    const transaction = `0x${number.toString(16).padStart(64, '0')}`;
    this.transfers.set(nonce, {
      ...{ transaction, from, valueMicros: amountMicros },
      blockNumber: this.#block + 1,
      logIndex: 1,
      landsAtMs: (Math.floor(this.#nowMs / BLOCK_MS) + 1) * BLOCK_MS,
    });
    return transaction;
  }
}
