// What does an index get that a first write creates? Its templates; and may it be created at all?

import { type Engine, EngineError, illegalArgument } from '@octavo/engine';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { checkIndexName } from '../resolve/index-name.ts';
import { clusterSetting } from '../settings/cluster-settings-store.ts';
import { applyTemplates } from './apply-templates.ts';
import { EMPTY_INDEX_BODY, type IndexBody, withPresets } from './index-body.ts';
import { readTemplates } from './template-store.ts';

/**
 * The hook that the engine asks when a write names an index that is not there. Throws invalid_index_name_exception for
 * a name no index may have, index_not_found_exception where `action.auto_create_index` forbids it.
 */
export function indexDefaults(engine: Pick<Engine, 'settings'>): (name: string) => IndexBody {
  return (name) => {
    checkIndexName(name);
    refuseForbidden(name, clusterSetting(engine.settings, 'action.auto_create_index') ?? 'true');
    return withPresets(applyTemplates(name, readTemplates(engine.settings), EMPTY_INDEX_BODY));
  };
}

/** `true`, `false`, or a list such as `+logs-*,-*` of which the first that fits decides. */
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

/** True: it may; false: nothing may; a rule: that one forbids it; undefined: no rule fits. */
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
