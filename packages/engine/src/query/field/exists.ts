// Plans `exists`: documents with a value of a field, of a field below it where it is an object, or of any
// field that a pattern names.

import { illegalArgument } from '../../errors.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { termRange } from '../node/terms/term-sources.ts';
import { ExistsNode } from '../node/values/exists-node.ts';
import type { Planner } from '../plan/planner.ts';
import { isMeta, metaExists } from './metadata.ts';
import { termSetNode } from './term-set.ts';

/** Documents with any value of the fields that `pattern` names. */
export function existsNode(planner: Planner, pattern: string, boost: number): PlanNode {
  if (pattern === '_field_names') throw illegalArgument('Cannot run exists query on _field_names');
  if (isMeta(pattern)) return metaExists(planner, pattern, boost);
  const whole = planner.field(pattern);
  if (whole !== undefined) return fieldExistsNode(whole, boost);
  const paths = pathsOf(planner, pattern);
  if (paths.length === 0) return NONE;
  if (paths.length === 1) return new ExistsNode(paths[0]!, boost);
  const nodes = paths.map((path) => new ExistsNode(path, 1));
  return planner.withoutScores(() => constantNode(planner.combine({ should: nodes, least: 1 }), boost));
}

/** True if no field of the index, and none of every index, has the name or fits the pattern. */
export function isNowhere(planner: Planner, pattern: string): boolean {
  const isOwn = pattern.startsWith('_') || pattern.includes('*');
  return !isOwn && planner.field(pattern) === undefined && pathsOf(planner, pattern).length === 0;
}

/** Documents with a value of one field. */
export function fieldExistsNode(field: FieldType, boost: number): PlanNode {
  if (field.kind === 'constant_keyword') return new AllNode(boost);
  if (field.kind === 'rank_features')
    throw illegalArgument('[rank_features] fields do not support [exists] queries');
  if (!isFindable(field)) return NONE;
  if (field.bytes?.prefix === undefined) return new ExistsNode(field.path, boost);
  const keys = field.bytes.range({})!;
  return termSetNode(field, termRange(keys.min, keys.max), boost);
}

/** Whether anything but the source tells that a document has the field. */
function isFindable({ params, hasDocValues }: FieldType): boolean {
  return hasDocValues || params['index'] !== false || params['store'] === true;
}

function pathsOf(planner: Planner, pattern: string): string[] {
  const { mapping } = planner.view;
  const patterns = pattern.includes('*') ? [pattern] : [];
  if (mapping.isObject(pattern)) patterns.push(`${pattern}.*`);
  const paths = new Set<string>();
  for (const each of patterns) {
    for (const path of mapping.matching(each)) {
      const found = mapping.field(path);
      if (found !== undefined) {
        if (isFindable(found)) paths.add(found.path);
      } else if (mapping.isObject(path)) for (const below of mapping.matching(`${path}.*`)) paths.add(below);
    }
  }
  return [...paths];
}
