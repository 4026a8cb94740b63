// Which small JSON documents does a reading thread know? Those that it was told of; it changes none.

import type { Settings } from '../../api.ts';
import type { JsonValue } from '../../json/value.ts';
import { NeedsWriterThread } from './needs-writer-thread.ts';

const NONE: ReadonlyMap<string, JsonValue> = new Map();

/** Settings as they were told. */
export class ReplicaSettings implements Settings {
  readonly #kinds = new Map<string, Map<string, JsonValue>>();

  /** Takes one as it is now; undefined where it is gone. */
  apply(kind: string, name: string, value: JsonValue | undefined): void {
    let documents = this.#kinds.get(kind);
    if (documents === undefined) this.#kinds.set(kind, (documents = new Map()));
    if (value === undefined) documents.delete(name);
    else documents.set(name, value);
  }

  get(kind: string, name: string): JsonValue | undefined {
    return this.#kinds.get(kind)?.get(name);
  }

  list(kind: string): ReadonlyMap<string, JsonValue> {
    return this.#kinds.get(kind) ?? NONE;
  }

  put(): Promise<void> {
    return Promise.reject(new NeedsWriterThread('changes settings'));
  }

  remove(): Promise<boolean> {
    return Promise.reject(new NeedsWriterThread('changes settings'));
  }
}
