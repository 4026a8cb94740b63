// The record of one document write, as the tail and the log receive it. A batch has one instance and reuses
// it for all of its documents: both readers copy at once, and one object per document would be garbage.

import type { FrameBuilder } from '../../log/append/frame-builder.ts';
import type { IndexEntry, LogPointer } from '../../log/format/record.ts';
import type { TailDocument } from '../../tail/forward/tail-documents.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING: Uint8Array = new Uint8Array(0);

/** The document being written. */
export class DocumentEntry {
  /** For the tail; the position of the source is set by `appendTo` or `setPointer`. */
  readonly tailDocument: TailDocument;
  readonly #tailDocument: Mutable<TailDocument>;
  readonly #entry: Mutable<IndexEntry>;

  /** For documents of one index (by its number) in one commit. */
  constructor(indexNumber: number, commit: number) {
    const id = NOTHING;
    const shared = { id, seqNo: 0, version: 0, routing: undefined };
    this.tailDocument = this.#tailDocument = {
      ...shared,
      type: '_doc',
      commit,
      chunk: 0,
      offset: 0,
      length: 0,
    };
    this.#entry = { ...shared, indexNumber, type: undefined, source: NOTHING };
  }

  /** Moves on to another document. */
  set(
    id: Uint8Array,
    seqNo: number,
    version: number,
    type: string,
    routing: string | undefined,
  ): TailDocument {
    const row = this.#tailDocument;
    row.id = id;
    row.seqNo = seqNo;
    row.version = version;
    row.type = type;
    row.routing = routing;
    return row;
  }

  /** Sets the position of its source in the log. */
  setPointer({ chunk, offset, length }: LogPointer): void {
    const row = this.#tailDocument;
    row.chunk = chunk;
    row.offset = offset;
    row.length = length;
  }

  /** Adds it to the frame. */
  appendTo(frame: FrameBuilder, source: Uint8Array): LogPointer {
    const entry = this.#entry;
    const { id, seqNo, version, type, routing } = this.#tailDocument;
    entry.id = id;
    entry.seqNo = seqNo;
    entry.version = version;
    // Replay assumes '_doc' where the record has no type.
    entry.type = type === '_doc' ? undefined : type;
    entry.routing = routing;
    entry.source = source;
    const pointer = frame.index(entry);
    this.setPointer(pointer);
    return pointer;
  }
}
