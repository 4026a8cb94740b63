// Moves indices while they are written to, in rounds: the first carries everything, each later one what
// was written since. After a small round both sides are compared and differences repaired; a last round
// carries what was written during that.

import { Failure } from '../failure.ts';
import { type Deletion, deleteDocuments, putDocuments, type RefusedDocument } from './bulk-writes.ts';
import { type Comparison, compareIndex } from './compare.ts';
import { newestEventPosition, readDeletions } from './deletions.ts';
import type { Endpoint } from './endpoint.ts';
import type { MoveStateFile } from './move-state.ts';
import {
  countDocuments,
  createAtTarget,
  listIndices,
  requireStoredSource,
  type SourceIndex,
  type TargetSettings,
  updateMapping,
} from './source-indices.ts';
import { completeMarks, fetchDocuments, hasNewer, type ShardMarks, walkIndex } from './walk-index.ts';

export interface MoveOptions {
  readonly source: Endpoint;
  readonly target: Endpoint;
  readonly file: MoveStateFile;
  /** Undefined for all. */
  readonly wanted: readonly string[] | undefined;
  readonly targetSettings: TargetSettings;
  /** Accepts target indices that contain documents. */
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
  /** Receives messages for people. */
  readonly note: (text: string) => void;
}

interface MoveRound {
  readonly written: number;
  readonly deleted: number;
}

/** A running move. */
export class IndexMove {
  readonly #options: MoveOptions;
  readonly #printed = new Set<string>();
  readonly #foreign = new Set<string>();
  /** Writes since the target was sealed. */
  readonly #sent = new Map<string, number>();
  /** The indices of the last listing. */
  indices: readonly SourceIndex[] = [];

  constructor(options: MoveOptions) {
    this.#options = options;
  }

  /** Lists the indices and creates the missing ones at the target. */
  async prepare(): Promise<void> {
    const { source, target, file, wanted, overwrite, targetSettings } = this.#options;
    const { state } = file;
    this.indices = await listIndices(source, wanted);
    if (state.events === undefined && !file.isResumed && Object.keys(state.collections).length === 0) {
      // Before the first document is read: deletions from now on are events.
      const events = await newestEventPosition(source);
      if (events !== undefined) state.events = events;
    }
    for (const index of this.indices) {
      const { name, uuid } = index;
      const known = state.collections[name];
      if (known !== undefined) {
        if (known.uuid === uuid) continue;
        throw new Failure(
          `${name} was deleted and recreated at ${source.name} since the move began: delete it at ${target.name}, and its part of ${file.path}.`,
        );
      }
      requireStoredSource(index);
      const there = await countDocuments(target, name);
      if (there !== undefined && there > 0 && !overwrite)
        throw new Failure(
          `${target.name} already has documents in ${name}. Delete them there, or add --overwrite to make it equal to the source.`,
        );
      if (there === undefined) {
        const leftOut = await createAtTarget(target, index, targetSettings);
        if (leftOut.length > 0)
          this.#note(
            `${name}: settings that ${target.name} does not know were left out: ${leftOut.join(', ')}`,
          );
      } else await this.#updateMapping(index);
      state.collections[name] = { uuid, marks: {}, compared: false };
      file.save();
    }
    const names = new Set(this.indices.map(({ name }) => name));
    for (const name of Object.keys(state.collections))
      if (!names.has(name))
        this.#note(`${name} no longer exists at ${source.name}; ${target.name} keeps what was copied`);
  }

  /** Carries writes and deletions since the last round. `onWritten` is called as documents go. */
  async round(onWritten: (documents: number) => void = () => {}): Promise<MoveRound> {
    const { source, file, signal } = this.#options;
    const { state } = file;
    const names = this.indices.map(({ name }) => name);
    const marks = await completeMarks(source, names);
    let written = 0;
    for (const [name, upTo] of marks) {
      const kept = state.collections[name]!;
      if (!hasNewer(kept.marks, upTo)) continue;
      for await (const page of walkIndex(source, name, kept.marks, upTo)) {
        const done = await putDocuments(this.#options.target, name, page.hits);
        this.#refused(name, done.refused);
        this.#count(name, done.written);
        written += done.written;
        onWritten(page.hits.length);
        kept.marks = page.marks;
        file.saveSoon();
        if (signal.aborted) break;
      }
      file.save();
      if (signal.aborted) return { written, deleted: 0 };
    }
    return { written, deleted: await this.#deletions(new Set(names)) };
  }

  /** Compares and repairs every index. */
  async compare(onRead: (documents: number) => void): Promise<Map<string, Comparison>> {
    const { source, target, file, signal } = this.#options;
    const found = new Map<string, Comparison>();
    let before = 0;
    for (const index of this.indices) {
      if (signal.aborted) break;
      const { name } = index;
      await this.#updateMapping(index);
      let last = 0;
      const read = (documents: number): void => onRead(before + (last = documents));
      const comparison = await compareIndex({ source, target, name, onRead: read });
      before += last;
      found.set(name, comparison);
      file.state.collections[name]!.compared = comparison.differing.length === 0;
      file.save();
    }
    return found;
  }

  /** Stores the target's sequence numbers, so that writes of others are noticed. */
  async seal(): Promise<void> {
    const { file, target } = this.#options;
    const marks = await completeMarks(target, Object.keys(file.state.collections));
    for (const [name, kept] of Object.entries(file.state.collections)) {
      const now = marks.get(name);
      if (now === undefined) continue;
      // More sequence numbers were issued than this move has used.
      const isForeign =
        kept.target !== undefined &&
        issuedNumbers(now) - issuedNumbers(kept.target) > (this.#sent.get(name) ?? 0);
      if (isForeign) this.#foreign.add(name);
      if (!this.#foreign.has(name)) kept.target = now;
    }
    this.#sent.clear();
    file.save();
  }

  /**
   * Indices others have written to since. They stay marked until they are overwritten from the source.
   */
  async foreignIndices(): Promise<string[]> {
    const { file, target } = this.#options;
    const sealed = Object.entries(file.state.collections).filter(([, kept]) => kept.target !== undefined);
    const marks = await completeMarks(
      target,
      sealed.map(([name]) => name),
    );
    for (const [name, kept] of sealed) {
      const now = marks.get(name);
      if (now !== undefined && hasNewer(kept.target!, now)) this.#foreign.add(name);
    }
    return [...this.#foreign];
  }

  /** Forgets the marks: the target belongs to this move again. */
  unseal(): void {
    for (const kept of Object.values(this.#options.file.state.collections)) delete kept.target;
    this.#foreign.clear();
    this.#options.file.save();
  }

  /** The number of documents to carry. */
  async total(): Promise<number> {
    let total = 0;
    for (const { name } of this.indices) total += (await countDocuments(this.#options.source, name)) ?? 0;
    return total;
  }

  async #deletions(names: ReadonlySet<string>): Promise<number> {
    const { source, file } = this.#options;
    const { state } = file;
    let deleted = 0;
    for (let more = state.events !== undefined; more; ) {
      const found = await readDeletions(source, state.events!);
      if (found.hasGaps)
        this.#note(
          'some deletions are not reported one by one, or expired before they were read: the comparison finds them',
        );
      for (const [name, gone] of found.byIndex)
        if (names.has(name)) deleted += await this.#delete(name, gone);
      state.events = found.next;
      file.save();
      more = found.more;
    }
    return deleted;
  }

  async #delete(name: string, gone: readonly Deletion[]): Promise<number> {
    const { target } = this.#options;
    const { written, missing } = await deleteDocuments(target, name, gone);
    this.#count(name, gone.length);
    if (target.kind === 'octavo' || missing.length === 0) return written;
    // A cluster looks a document up by its routing, which an event does not contain.
    const there = await fetchDocuments(target, name, missing);
    const routed = gone.flatMap(({ id, version }) => {
      const routing = there.get(id)?.routing;
      return routing === undefined ? [] : [{ id, version, routing }];
    });
    this.#count(name, routed.length);
    return written + (await deleteDocuments(target, name, routed)).written;
  }

  #count(name: string, writes: number): void {
    this.#sent.set(name, (this.#sent.get(name) ?? 0) + writes);
  }

  async #updateMapping(index: SourceIndex): Promise<void> {
    const refused = await updateMapping(this.#options.target, index);
    if (refused !== undefined)
      this.#note(`${index.name}: ${this.#options.target.name} keeps its own mapping: ${refused}`);
  }

  #refused(name: string, refused: readonly RefusedDocument[]): void {
    for (const { id, reason } of refused) {
      if (this.#printed.size >= MAX_PRINTED) return;
      this.#note(`${name}/${id} was refused: ${reason}`);
    }
  }

  #note(text: string): void {
    if (this.#printed.has(text)) return;
    this.#printed.add(text);
    this.#options.note(text);
  }
}

const MAX_PRINTED = 20;

/** Sequence numbers issued so far, over all shards. */
function issuedNumbers(marks: ShardMarks): number {
  return Object.values(marks).reduce((sum, mark) => sum + mark + 1, 0);
}
