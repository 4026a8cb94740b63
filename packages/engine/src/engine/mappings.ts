// How does another mapping become that of an index? By way of the catalog: one that the disk has no room for has never been.

import type { Catalog } from '../catalog/catalog.ts';
import type { Mapping } from '../mapping/type.ts';
import type { IndexState } from '../write/index-state.ts';

/** Saves a mapping that documents have extended; whether it is the newest then, the caller has to see. */
export async function saveMapping(catalog: Catalog, state: IndexState): Promise<void> {
  const { mapping } = state;
  await commit(catalog, state, mapping);
  if (state.mapping === mapping) state.mappingSaved();
}

/** Gives an index what `change` makes of its mapping, once that is saved. */
export async function changeMapping(
  catalog: Catalog,
  state: IndexState,
  change: (current: Mapping) => Mapping,
): Promise<void> {
  for (;;) {
    const { mapping } = state;
    const changed = change(mapping);
    await commit(catalog, state, changed);
    // Else documents have extended it meanwhile, or some that had are taken back.
    if (state.mapping !== mapping) continue;
    state.mapping = changed;
    state.mappingSaved();
    return;
  }
}

function commit(catalog: Catalog, { number }: IndexState, mapping: Mapping): Promise<void> {
  return catalog.commit([{ put: ['mapping', String(number), mapping.toJson()] }]);
}
