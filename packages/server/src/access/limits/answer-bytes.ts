// Accounts for the bytes of answers that the server holds for its clients: those that are made and have not
// left. One instance per server; its reading threads share the total. Answers of a few KB are not counted: a
// connection has one at a time.
//
//   answerBytes          one answer; of a list (`_msearch`, `_mget`) the items beyond it are refused one by one
//   answersBytes         all answers in flight
//   callerAnswersBytes   those of one caller; callers without a key are one

import { answerTooLarge, EngineError } from '@octavo/engine';
import type { LimitName, Limits } from '../../limits.ts';

/** Shorter answers are not counted. */
export const COUNTED_BYTES = 4_096;

const KIB = 1_024;

/** The bytes in flight of one server. */
export class AnswerBytes {
  readonly #limits: Pick<Limits, 'answerBytes' | 'answersBytes' | 'callerAnswersBytes'>;
  readonly #callers = new Map<string, number>();
  /** All callers and threads, in KiB, rounded up for each answer. */
  readonly #total: Int32Array<SharedArrayBuffer>;

  /** `shared` is that of the other threads of the server. */
  constructor(
    limits: Pick<Limits, 'answerBytes' | 'answersBytes' | 'callerAnswersBytes'>,
    shared: SharedArrayBuffer = new SharedArrayBuffer(4),
  ) {
    this.#limits = limits;
    this.#total = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.#total.buffer;
  }

  /** Bytes in flight of all callers, rounded up to KiB for each answer. */
  get inFlight(): number {
    return Atomics.load(this.#total, 0) * KIB;
  }

  /** Throws circuit_breaking_exception (429) if one answer may not have so many bytes. */
  requireSize(bytes: number): void {
    const { answerBytes } = this.#limits;
    if (bytes > answerBytes) throw answerTooLarge(bytes, answerBytes);
  }

  /** Counts bytes of a caller until `release`. Throws circuit_breaking_exception (429) if there are too many. */
  take(caller: string, bytes: number): void {
    this.requireRoom(caller, bytes);
    this.add(caller, bytes);
  }

  /** Throws as `take` would, so that a long answer is not made in vain. */
  requireRoom(caller: string, bytes: number): void {
    const { answersBytes, callerAnswersBytes } = this.#limits;
    const all = this.inFlight + bytes;
    if (all > answersBytes) throw exceeded('answers of this server', 'answersBytes', all, answersBytes);
    const own = (this.#callers.get(caller) ?? 0) + bytes;
    if (own > callerAnswersBytes)
      throw exceeded(`answers of [${caller}]`, 'callerAnswersBytes', own, callerAnswersBytes);
  }

  /** Counts bytes that have to be sent, whatever the limits. */
  add(caller: string, bytes: number): void {
    Atomics.add(this.#total, 0, Math.ceil(bytes / KIB));
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + bytes);
  }

  /** The bytes of one `take` or `add` have left, or nobody waits for them. */
  release(caller: string, bytes: number): void {
    Atomics.sub(this.#total, 0, Math.ceil(bytes / KIB));
    const left = (this.#callers.get(caller) ?? 0) - bytes;
    if (left > 0) this.#callers.set(caller, left);
    else this.#callers.delete(caller);
  }
}

function exceeded(what: string, name: LimitName, bytes: number, limit: number): EngineError {
  return new EngineError(
    'circuit_breaking_exception',
    `[${name}] Data too large: ${what} that were not read yet would have [${bytes}/${mib(bytes)}], which is larger than the limit of [${limit}/${mib(limit)}]; read answers as they come, ask for less at once, or try again, or raise the limit with --limit ${name}=N`,
    { details: { bytes_wanted: bytes, bytes_limit: limit, durability: 'TRANSIENT' } },
  );
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)}mb`;
}
