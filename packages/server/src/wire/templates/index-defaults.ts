// The body of an index that a first write creates, and whether it may be created.

import { type Engine, EngineError, illegalArgument } from '@octavo/engine';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { checkIndexName } from '../resolve/index-name.ts';
import { clusterSetting } from '../settings/cluster-settings-store.ts';
import { applyTemplates } from './apply-templates.ts';
import { EMPTY_INDEX_BODY, type IndexBody } from './index-body.ts';
import { readTemplates } from './template-store.ts';

/**
 * The hook that the engine calls when a write names a missing index. Throws invalid_index_name_exception for an invalid name,
 * index_not_found_exception if `action.auto_create_index` forbids it.
 */
export function indexDefaults(engine: Pick<Engine, 'settings'>): (name: string) => IndexBody {
  return (name) => {
    checkIndexName(name);
    refuseForbidden(name, clusterSetting(engine.settings, 'action.auto_create_index') ?? 'true');
    return applyTemplates(name, readTemplates(engine.settings), EMPTY_INDEX_BODY);
  };
}

/**
 * Throws if the rule forbids a name. A rule is `true`, `false`, or a list such as `+logs-*,-*`, whose first
 * match decides.
 */
function refuseForbidden(name: string, rule: string): void {
  const verdict = autoCreates(name, rule);
  if (verdict === true) return;
  const why =
    verdict === false && rule === 'false'
      ? 'and [action.auto_create_index] is [false]'
      : verdict === undefined
        ? `and [action.auto_create_index] ([${rule}]) doesn't match`
        : `and [action.auto_create_index] contains [${verdict}] which forbids automatic creation of the index`;
  throw new EngineError('index_not_found_exception', `no such index [${name}] ${why}`, {
    details: { index: name, index_uuid: '_na_' },
  });
}

/** True if a name is allowed; false if none is; a part of the rule that forbids it; undefined if no part matches. */
function autoCreates(name: string, rule: string): boolean | string | undefined {
  if (rule === 'true' || rule === 'false') return rule === 'true';
  for (const part of rule.split(',').map((each) => each.trim())) {
    const sign = part[0] === '+' || part[0] === '-' ? part[0] : '';
    const pattern = part.slice(sign.length);
    if (!matchesWildcard(pattern, name)) continue;
    return sign === '-' ? `-${pattern}` : true;
  }
  return undefined;
}

/** Checks a value for `action.auto_create_index`. */
export function checkAutoCreate(value: string): void {
  if (value === 'true' || value === 'false') return;
  for (const part of value.split(',')) {
    if (part.trim() === '' || part.trim() === '+' || part.trim() === '-') {
      throw illegalArgument(
        `Can't parse [${value}] for setting [action.auto_create_index] must be either [true, false, or a comma separated list of index patterns]`,
      );
    }
  }
}
