// Changes of aliases as steps that the engine applies all or none, after checks of the resulting state.

import { type AliasSpec, type Engine, EngineError, type IndexInfo, illegalArgument } from '@octavo/engine';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { checkAliasName } from '../resolve/index-name.ts';

/** One step, as the engine takes it. */
export type AliasStep =
  | { add: { index: string; alias: string; spec: AliasSpec } }
  | { remove: { index: string; alias: string } }
  | { removeIndex: { index: string } };

/** Steps that add all aliases to all indices. */
export function addSteps(
  infos: readonly IndexInfo[],
  aliases: readonly string[],
  spec: AliasSpec,
): AliasStep[] {
  for (const alias of aliases) checkAliasName(alias);
  return infos.flatMap(({ name: index }) => aliases.map((alias) => ({ add: { index, alias, spec } })));
}

/** Steps that remove the aliases that fit; empty if none does. */
export function removeSteps(infos: readonly IndexInfo[], patterns: readonly string[]): AliasStep[] {
  const steps: AliasStep[] = [];
  for (const info of infos) {
    for (const alias of Object.keys(info.aliases)) {
      if (patterns.includes('_all') || matchesAnyWildcard(patterns, alias))
        steps.push({ remove: { index: info.name, alias } });
    }
  }
  return steps;
}

/** The peer's error for missing aliases. */
export function aliasesMissing(names: readonly string[]): EngineError {
  const sorted = [...names].sort();
  return new EngineError('aliases_not_found_exception', `aliases [${sorted.join(', ')}] missing`, {
    details: { 'resource.id': sorted.length === 1 ? sorted[0]! : sorted, 'resource.type': 'aliases' },
  });
}

/**
 * Checks the state after all steps (no alias has the name of an index; an alias has one write index), and
 * applies them.
 */
export async function applySteps(engine: Engine, steps: readonly AliasStep[]): Promise<void> {
  if (steps.length === 0) return;
  const after = stateAfter(engine, steps);
  for (const step of steps)
    if ('add' in step && after.has(step.add.alias)) throw takenByIndex(engine, step.add.alias);
  refuseSecondWriteIndex(after);
  await engine.indices.updateAliases(steps);
}

/** Checks the aliases of a new index: none has the name of an index, or a second write index. */
export function checkNewAliases(
  engine: Engine,
  index: string,
  aliases: Readonly<Record<string, AliasSpec>>,
): void {
  const names = Object.keys(aliases);
  if (names.length === 0) return;
  const after = stateAfter(engine, []);
  after.set(index, new Map(Object.entries(aliases)));
  for (const alias of names) {
    checkAliasName(alias);
    if (after.has(alias)) throw takenByIndex(engine, alias);
  }
  refuseSecondWriteIndex(after);
}

function takenByIndex(engine: Engine, alias: string): EngineError {
  return new EngineError(
    'invalid_alias_name_exception',
    `Invalid alias name [${alias}], an index exists with the same name as the alias`,
    { details: { index: alias, index_uuid: engine.indices.info(alias)?.uuid ?? '_na_' } },
  );
}

/** The aliases of each index after the steps. */
function stateAfter(engine: Engine, steps: readonly AliasStep[]): Map<string, Map<string, AliasSpec>> {
  const after = new Map<string, Map<string, AliasSpec>>();
  for (const name of engine.indices.names()) {
    after.set(name, new Map(Object.entries(engine.indices.info(name)?.aliases ?? {})));
  }
  for (const step of steps) if ('removeIndex' in step) after.delete(step.removeIndex.index);
  for (const step of steps) {
    if ('add' in step) after.get(step.add.index)?.set(step.add.alias, step.add.spec);
    else if ('remove' in step) after.get(step.remove.index)?.delete(step.remove.alias);
  }
  return after;
}

function refuseSecondWriteIndex(after: ReadonlyMap<string, ReadonlyMap<string, AliasSpec>>): void {
  const writers = new Map<string, string[]>();
  for (const index of [...after.keys()].sort()) {
    for (const [alias, spec] of after.get(index)!) {
      if (spec.isWriteIndex === true) writers.set(alias, [...(writers.get(alias) ?? []), index]);
    }
  }
  for (const [alias, indices] of writers) {
    if (indices.length < 2) continue;
    throw new EngineError(
      'illegal_state_exception',
      `alias [${alias}] has more than one write index [${indices.join(',')}]`,
    );
  }
}

/** Throws for an empty list of actions. */
export function requireActions(count: number): void {
  if (count === 0) throw illegalArgument('No action specified');
}
