// Refuses mappings with fields named like metadata. Indices that have one from before stay readable.

import { EngineError } from '../errors.ts';
import { mapperParsing } from './definition/type-params.ts';
import type { IndexMapping } from './index-mapping.ts';
import type { MappingNode } from './mapping-nodes.ts';
import type { Mapping } from './types/type.ts';

/** Metadata of every document, which no mapping may define at its root. */
const METADATA: ReadonlySet<string> = new Set(
  '_id _index _source _routing _seq_no _version _ignored _field_names _nested_path _doc_count _data_stream_timestamp'.split(
    ' ',
  ),
);

/** Throws mapper_parsing_exception if `now` has a field named like metadata that `before` did not have. */
export function refuseMetadata(now: Mapping, before?: Mapping): void {
  const old = before as IndexMapping | undefined;
  for (const [name, node] of (now as IndexMapping).root.children) {
    if (!METADATA.has(name) || old?.root.children.has(name) === true) continue;
    const reason = METADATA_REFUSED[node.kind](name);
    // OpenSearch wraps the error for a new index, but not for an existing one.
    throw before === undefined ? refusal(reason) : mapperParsing(reason);
  }
}

const METADATA_REFUSED: Readonly<Record<MappingNode['kind'], (name: string) => string>> = {
  field: (name) => `Field [${name}] is defined more than once`,
  object: (name) => `Field [${name}] is defined both as an object and a field`,
  alias: (name) => `Alias [${name}] is defined both as an alias and a concrete field`,
};

function refusal(reason: string): EngineError {
  return new EngineError('mapper_parsing_exception', `Failed to parse mapping [_doc]: ${reason}`, {
    causedBy: mapperParsing(reason),
  });
}
