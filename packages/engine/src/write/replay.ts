// What came after the last segments? The log is carried out again from there, as the writer did it the first time. Its
// documents are read by the thread that reads those of large writes: while it has some, those before them are played into
// their tails here.

import type { DocumentLog } from '../log/log.ts';
import type { LogRecord } from '../log/record.ts';
import { Turn } from '../turn.ts';
import type { AheadOf, DocumentsAhead } from './ahead.ts';
import { Batch, type BatchEnvironment } from './batch.ts';
import type { IndexState } from './index-state.ts';

/** What a replay works with. */
export interface ReplayEnvironment extends BatchEnvironment {
  readonly log: DocumentLog;
  /** Reads documents in a thread; they are read here where it is left out. */
  readonly ahead?: DocumentsAhead;
}

/** Bytes of records that are told to the thread together; as many are carried out meanwhile. */
const GROUP_BYTES = 1 << 20;

/** A record, kept until its document has been read. */
interface Told {
  readonly state: IndexState;
  readonly record: LogRecord;
}

/** Replays every record after `from` into the tails of its index. */
export async function replay(
  from: number,
  states: ReadonlyMap<number, IndexState>,
  env: ReplayEnvironment,
): Promise<void> {
  const replaying = new Replay(env);
  await env.log.replay(from, {
    record(record) {
      const state = states.get(record.indexNumber);
      if (state === undefined || record.commit <= state.watermark || record.seqNo <= state.sealedSeqNo)
        return;
      replaying.add({ state, record: { ...record, id: record.id.slice(), source: record.source.slice() } });
    },
    commit: () => replaying.next(),
  });
  await replaying.end();
}

class Replay {
  readonly #env: ReplayEnvironment;
  readonly #batches = new Map<IndexState, Batch>();
  readonly #turn = new Turn();
  #commit = 0;
  #told: Told[] = [];
  #bytes = 0;
  /** Told before those, and given to the thread. */
  #given: readonly Told[] = [];
  #ahead: AheadOf | undefined;

  constructor(env: ReplayEnvironment) {
    this.#env = env;
  }

  add(told: Told): void {
    this.#told.push(told);
    this.#bytes += told.record.source.length;
  }

  /** To be waited for after every commit. */
  next(): Promise<void> | undefined {
    return this.#bytes < GROUP_BYTES ? undefined : this.#give();
  }

  async end(): Promise<void> {
    await this.#give();
    await this.#give();
    this.#endCommit();
  }

  /** Gives the thread what was told since, and carries out what it was given before. */
  async #give(): Promise<void> {
    const [given, ahead] = [this.#given, this.#ahead];
    const told = this.#told;
    this.#given = told;
    this.#ahead = told.length === 0 ? undefined : this.#env.ahead?.of(told.map(asWrite), this.#bytes);
    this.#told = [];
    this.#bytes = 0;
    for (let i = 0; i < given.length; i++) {
      const { state, record } = given[i]!;
      if (record.commit !== this.#commit) {
        this.#endCommit();
        if (this.#turn.over()) await this.#turn.next();
      }
      this.#commit = record.commit;
      const wait = ahead?.until(i);
      if (wait !== undefined) await wait;
      this.#batchOf(state).restore(record, ahead?.at(i));
    }
    ahead?.end();
  }

  #batchOf(state: IndexState): Batch {
    let batch = this.#batches.get(state);
    if (batch === undefined)
      this.#batches.set(state, (batch = new Batch(state, this.#commit, undefined, this.#env)));
    return batch;
  }

  #endCommit(): void {
    for (const batch of this.#batches.values()) batch.end();
    this.#batches.clear();
  }
}

/** A record as the write that it once was, as far as reading it goes. */
function asWrite({ state, record: { kind, source } }: Told): Parameters<DocumentsAhead['of']>[0][number] {
  return { state, op: { kind, index: state.info.name, source } };
}
