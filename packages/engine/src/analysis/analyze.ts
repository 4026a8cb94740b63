import type { JsonObject } from '../json/value.ts';
import type { Mapping } from '../mapping/type.ts';
import type { Analysis } from './registry.ts';
export function analyze(_analysis: Analysis, _mapping: Mapping | undefined, _body: JsonObject): JsonObject {
  throw new Error('stub: to be replaced');
}
