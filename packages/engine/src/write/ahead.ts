// Who reads documents while the one thread that answers requests is at other things? A thread of its own: a write is handed
// to it as soon as it comes in, a stretch at a time, and its documents are played into the tail when their turn comes.
// Small writes, and what the thread cannot do or had no time for before it died, are read here. What comes out is the
// same, byte by byte.

import type { Mapping } from '../mapping/type.ts';
import type { Recording, Recordings } from '../tail/recording.ts';
import { HelperThread } from '../thread/helper-thread.ts';
import type { AheadAnswer, AheadJob } from './ahead-messages.ts';
import type { IndexState } from './index-state.ts';
import { KnownMappings } from './known-mappings.ts';
import type { ResolvedOp } from './writer.ts';

/** Options of reading ahead. */
export interface AheadOptions {
  /** Bytes of a write from which on it goes to the thread; Infinity for never. @default 65,536 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default ahead-thread.ts */
  readonly thread?: URL;
}

/** Bytes of sources in one stretch, but for a larger document. */
const STRETCH_BYTES = 512 << 10;
/** Larger documents are read here. */
const LARGEST = 4 << 20;
/** A write that goes from index to index all the time is read here: its stretches would be shorter than this. */
const LEAST_DOCS = 16;
/** Stretches that the thread has, or that wait to be played. */
const STRETCHES = 6;

/** A document that was read ahead, and under which mapping. */
export interface ReadAhead {
  readonly recording: Recording;
  readonly document: number;
  readonly mapping: Mapping;
}

/** Operations [from, to) of a write, all of one index. */
class Stretch {
  readonly from: number;
  readonly to: number;
  readonly ops: readonly ResolvedOp[];
  readonly state: IndexState;
  /** Under which the thread reads it, once it has it. */
  mapping: Mapping | undefined;
  recording: Recording | undefined;
  isOver = false;
  readonly over: Promise<void>;
  readonly #resolve: () => void;

  constructor(ops: readonly ResolvedOp[], from: number, to: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ops = ops;
    this.from = from;
    this.to = to;
    this.state = ops[from]!.state;
    this.over = promise;
    this.#resolve = resolve;
  }

  /** Read, or not to be read any more. */
  end(recording?: Recording): void {
    this.recording = recording;
    this.isOver = true;
    this.#resolve();
  }
}

/** A write that is read ahead. Its operations are asked for in their order. */
export class AheadOf {
  readonly #stretches: Stretch[];
  readonly #passed: (stretch: Stretch) => void;

  constructor(stretches: Stretch[], passed: (stretch: Stretch) => void) {
    this.#stretches = stretches;
    this.#passed = passed;
  }

  /** To be waited for before operation i is asked for. */
  until(i: number): Promise<void> | undefined {
    while (this.#stretches.length > 0 && this.#stretches[0]!.to <= i) this.#passed(this.#stretches.shift()!);
    const first = this.#stretches[0];
    return first === undefined || first.isOver ? undefined : first.over;
  }

  /** Operation i as the thread has read it; undefined where it is to be read here. */
  at(i: number): ReadAhead | undefined {
    const first = this.#stretches[0];
    if (first?.recording === undefined || first.mapping === undefined) return undefined;
    const { recording, mapping } = first;
    const document = i - first.from;
    return recording.has(document) ? { recording, document, mapping } : undefined;
  }

  /** No more will be asked. */
  end(): void {
    for (const stretch of this.#stretches.splice(0)) this.#passed(stretch);
  }
}

/** Has documents read ahead of the writer. */
export class DocumentsAhead {
  readonly #threadFrom: number;
  readonly #thread: HelperThread<AheadJob, AheadAnswer>;
  /** Not given to the thread yet. */
  #queue: Stretch[] = [];
  /** Given to the thread and not played yet. */
  readonly #open = new Set<Stretch>();
  /** Buffers that came back. */
  #spare: Uint8Array[] = [];
  readonly #known = new KnownMappings();

  constructor(options: AheadOptions = {}) {
    this.#threadFrom = options.threadFrom ?? 65_536;
    const code = options.thread ?? new URL('./ahead-thread.ts', import.meta.url);
    this.#thread = new HelperThread({ code, youngMb: 48, idleMs: 10_000, onGone: () => this.#forget() });
  }

  /** Begins to read a write of so many bytes; undefined where that is left to the writer. Starts the thread for the next one. */
  of(ops: readonly ResolvedOp[], bytes: number): AheadOf | undefined {
    if (bytes < this.#threadFrom || !this.#thread.begin() || !this.#thread.isReady) return undefined;
    const stretches = stretchesOf(ops);
    if (stretches.length === 0 || stretches.length * LEAST_DOCS > ops.length + LEAST_DOCS) return undefined;
    this.#queue.push(...stretches);
    this.#ask();
    return new AheadOf(stretches, (stretch) => {
      stretch.end(stretch.recording);
      this.#open.delete(stretch);
      this.#ask();
    });
  }

  /** True while the thread is there to take writes. */
  get isReady(): boolean {
    return this.#thread.isReady;
  }

  /** Ends the thread; what it has not read is left to the writer. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Gives the thread as much as it may have. */
  #ask(): void {
    while (this.#queue.length > 0 && this.#open.size < STRETCHES) {
      const stretch = this.#queue.shift()!;
      // The writer has given it up.
      if (stretch.isOver) continue;
      const { mapping } = stretch.state;
      if (mapping.routingRequired) {
        stretch.end();
        continue;
      }
      stretch.mapping = mapping;
      const { job: introduced, recordings } = this.#known.introduce(stretch.state);
      const job: AheadJob = { ...(sharedIn(stretch) ?? this.#filled(stretch)), ...introduced };
      this.#open.add(stretch);
      const { buffer } = job.bytes;
      const given = [job.starts.buffer, job.ends.buffer];
      void this.#thread
        .ask(job, buffer instanceof ArrayBuffer ? [buffer, ...given] : given)
        .then((answer) => this.#answered(stretch, recordings, answer));
    }
  }

  /** The sources of a stretch in one buffer; operations without one have no bytes there. */
  #filled({ ops, from, to }: Stretch): Lying {
    let need = 0;
    for (let i = from; i < to; i++) need += sourceOf(ops[i]!).length;
    const spare = need <= STRETCH_BYTES ? this.#spare.pop() : undefined;
    const bytes = spare ?? new Uint8Array(Math.max(need, STRETCH_BYTES));
    const starts = new Uint32Array(to - from);
    const ends = new Uint32Array(to - from);
    let at = 0;
    for (let i = from; i < to; i++) {
      const source = sourceOf(ops[i]!);
      bytes.set(source, at);
      starts[i - from] = at;
      ends[i - from] = at += source.length;
    }
    return { bytes, starts, ends };
  }

  #answered(stretch: Stretch, recordings: Recordings, { bytes, read }: Partial<AheadAnswer> = {}): void {
    if (bytes?.length === STRETCH_BYTES && this.#spare.length < STRETCHES) this.#spare.push(bytes);
    // Also of one that the writer has given up: the terms that it tells are told once.
    const recording = read && recordings.next(read);
    stretch.end(stretch.isOver ? undefined : recording);
  }

  /** Without the thread: what it was to read is read by the writer. */
  #forget(): void {
    this.#spare = [];
    this.#known.clear();
    for (const stretch of this.#queue.splice(0)) stretch.end();
  }
}

/** Where the sources of a stretch lie. */
type Lying = Pick<AheadJob, 'bytes' | 'starts' | 'ends'>;

/** Where all of them lie in the same shared memory; undefined where they do not. */
function sharedIn({ ops, from, to }: Stretch): Lying | undefined {
  const starts = new Uint32Array(to - from);
  const ends = new Uint32Array(to - from);
  let shared: SharedArrayBuffer | undefined;
  for (let i = from; i < to; i++) {
    const { buffer, byteOffset, length } = sourceOf(ops[i]!);
    if (length === 0) continue;
    if (!(buffer instanceof SharedArrayBuffer) || (shared !== undefined && shared !== buffer))
      return undefined;
    shared = buffer;
    starts[i - from] = byteOffset;
    ends[i - from] = byteOffset + length;
  }
  return shared && { bytes: new Uint8Array(shared), starts, ends };
}

const NOTHING = new Uint8Array(0);

/** What the thread is to read of an operation: a document, unless it is so large that tables would be made for it alone. */
function sourceOf({ op: { kind, source } }: ResolvedOp): Uint8Array {
  const isRead = source !== undefined && source.length <= LARGEST && (kind === 'index' || kind === 'create');
  return isRead ? source : NOTHING;
}

/** The stretches of a write. */
function stretchesOf(ops: readonly ResolvedOp[]): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < ops.length; i++) {
    const { length } = sourceOf(ops[i]!);
    if (i > from && (ops[i]!.state !== ops[from]!.state || bytes + length > STRETCH_BYTES)) {
      stretches.push(new Stretch(ops, from, i));
      from = i;
      bytes = 0;
    }
    bytes += length;
  }
  if (from < ops.length) stretches.push(new Stretch(ops, from, ops.length));
  return stretches;
}
