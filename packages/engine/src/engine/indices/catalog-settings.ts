// Small documents of the wire (templates, cluster settings), stored in the catalog under kinds of their own.

import type { Settings } from '../../api.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { JsonValue } from '../../json/value.ts';

const PREFIX = 'settings.';

/** Named JSON documents by kind, each change durable. */
export class CatalogSettings implements Settings {
  readonly #catalog: Catalog;
  readonly #onChange: (kind: string, name: string, value: JsonValue | undefined) => void;

  /** `onChange` is called for each change before it resolves. */
  constructor(
    catalog: Catalog,
    onChange: (kind: string, name: string, value: JsonValue | undefined) => void = () => {},
  ) {
    this.#catalog = catalog;
    this.#onChange = onChange;
  }

  /** All documents. */
  *all(): Generator<{ readonly kind: string; readonly name: string; readonly value: JsonValue }> {
    for (const kind of this.#catalog.kinds()) {
      if (!kind.startsWith(PREFIX)) continue;
      for (const [name, value] of this.#catalog.list(kind))
        yield { kind: kind.slice(PREFIX.length), name, value };
    }
  }

  get(kind: string, name: string): JsonValue | undefined {
    return this.#catalog.get(PREFIX + kind, name);
  }

  list(kind: string): ReadonlyMap<string, JsonValue> {
    return this.#catalog.list(PREFIX + kind);
  }

  async put(kind: string, name: string, value: JsonValue): Promise<void> {
    await this.#catalog.commit([{ put: [PREFIX + kind, name, value] }]);
    this.#onChange(kind, name, value);
  }

  async remove(kind: string, names: readonly string[]): Promise<boolean> {
    const found = names.filter((name) => this.get(kind, name) !== undefined);
    if (found.length === 0) return false;
    await this.#catalog.commit(found.map((name) => ({ remove: [PREFIX + kind, name] })));
    for (const name of found) this.#onChange(kind, name, undefined);
    return true;
  }
}
