// How does another mapping become that of an index? By way of the catalog: one that the disk has no room for has never been.

import type { Catalog } from '../../catalog/catalog.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { Maintenance } from '../../write/maintenance/maintenance.ts';
import { refuseBlocked } from './index-blocks.ts';

/** Saves a mapping that documents have extended; whether it is the newest then, the caller has to see. */
export async function saveMapping(catalog: Catalog, state: IndexState): Promise<void> {
  const { mapping } = state;
  await commit(catalog, [state]);
  if (state.mapping === mapping) state.markMappingSaved();
}

/** A mapping that is to be that of an index. */
interface Change {
  readonly state: IndexState;
  readonly before: Mapping;
  readonly mapping: Mapping;
}

/**
 * Gives indices what `change` makes of their mappings, once that is saved: all of them, or none where one of them refuses. Tells
 * those whose mapping says something else than before.
 */
export async function changeMappings(
  catalog: Catalog,
  states: readonly IndexState[],
  change: (current: Mapping) => Mapping,
): Promise<IndexState[]> {
  for (const { info } of states) refuseBlocked(info, 'change');
  for (let tries = 0; ; tries++) {
    let changes: Change[];
    try {
      changes = states.map((state) => ({ state, before: state.mapping, mapping: change(state.mapping) }));
    } catch (error) {
      // What was saved for the others has not become theirs.
      if (tries > 0) await commit(catalog, states);
      throw error;
    }
    const others = changes.filter(
      ({ state, before, mapping }) => tries > 0 || state.savedMapping !== before || !isSame(mapping, before),
    );
    if (others.length === 0) return [];
    await commit(
      catalog,
      others.map(({ state: { number }, mapping }) => ({ number, mapping })),
    );
    // Else documents have extended it meanwhile, or some that had are taken back.
    if (changes.some(({ state, before }) => state.mapping !== before)) continue;
    for (const { state, mapping } of others) {
      state.mapping = mapping;
      state.markMappingSaved();
    }
    return others.map(({ state }) => state);
  }
}

/**
 * Seals what was written before the mapping was changed: at the next start it would be read again, under another mapping than the
 * one that took it. Behind a merge that is under way nobody waits for that, but the end of the engine does. Where there is no
 * room for it, or no time, it is read again, and values that no longer fit are left out (`DocumentContext.isAccepted`).
 */
export async function sealOldMapping(maintenance: Maintenance, state: IndexState): Promise<void> {
  if (state.tails.every(({ docCount }) => docCount === 0)) return;
  const { isBusy } = maintenance;
  state.noteMappingChange();
  // Why it could not be is for others to tell.
  const sealed = maintenance.flush(state).catch(() => {});
  if (!isBusy) await sealed;
}

function isSame(a: Mapping, b: Mapping): boolean {
  return a === b || JSON.stringify(a.toJson()) === JSON.stringify(b.toJson());
}

/** Saves mappings of indices by their numbers. */
function commit(
  catalog: Catalog,
  all: readonly { readonly number: number; readonly mapping: Mapping }[],
): Promise<void> {
  return catalog.commit(
    all.map(({ number, mapping }) => ({ put: ['mapping', String(number), mapping.toJson()] })),
  );
}
