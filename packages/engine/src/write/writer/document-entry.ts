// What are the tail and the log told of a document that is written? A place and an entry. A batch has one of each for all
// of its documents: they are read at once, and thousands would be garbage.

import type { FrameBuilder } from '../../log/append/frame-builder.ts';
import type { IndexEntry, LogPointer } from '../../log/format/record.ts';
import type { TailDocument } from '../../tail/forward/tail-documents.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING: Uint8Array = new Uint8Array(0);

/** What is told of the document at hand. */
export class DocumentEntry {
  /** For the tail; where the source lies is known once it is `logged`. */
  readonly tailDocument: TailDocument;
  readonly #placed: Mutable<TailDocument>;
  readonly #entry: Mutable<IndexEntry>;

  /** Of documents of an index, by its number, in a commit. */
  constructor(indexNumber: number, commit: number) {
    const id = NOTHING;
    const shared = { id, seqNo: 0, version: 0, routing: undefined };
    this.tailDocument = this.#placed = { ...shared, type: '_doc', commit, chunk: 0, offset: 0, length: 0 };
    this.#entry = { ...shared, indexNumber, type: undefined, source: NOTHING };
  }

  /** Another document is at hand. */
  set(
    id: Uint8Array,
    seqNo: number,
    version: number,
    type: string,
    routing: string | undefined,
  ): TailDocument {
    const placed = this.#placed;
    placed.id = id;
    placed.seqNo = seqNo;
    placed.version = version;
    placed.type = type;
    placed.routing = routing;
    return placed;
  }

  /** It lies in the log now. */
  setPointer({ chunk, offset, length }: LogPointer): void {
    const placed = this.#placed;
    placed.chunk = chunk;
    placed.offset = offset;
    placed.length = length;
  }

  /** Puts it into the frame. */
  appendTo(frame: FrameBuilder, source: Uint8Array): LogPointer {
    const entry = this.#entry;
    const { id, seqNo, version, type, routing } = this.#placed;
    entry.id = id;
    entry.seqNo = seqNo;
    entry.version = version;
    // What replay takes for granted need not be written.
    entry.type = type === '_doc' ? undefined : type;
    entry.routing = routing;
    entry.source = source;
    const pointer = frame.index(entry);
    this.setPointer(pointer);
    return pointer;
  }
}
