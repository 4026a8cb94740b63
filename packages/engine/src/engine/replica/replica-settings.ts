// The settings documents of a replica: those that updates have brought. It cannot change any.

import type { Settings } from '../../api.ts';
import type { JsonValue } from '../../json/value.ts';
import { NeedsWriterThread } from './needs-writer-thread.ts';

const NONE: ReadonlyMap<string, JsonValue> = new Map();

/** A read-only copy of the settings. */
export class ReplicaSettings implements Settings {
  readonly #kinds = new Map<string, Map<string, JsonValue>>();

  /** Applies a change; undefined removes the document. */
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
