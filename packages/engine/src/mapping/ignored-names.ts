// Which paths of left-out values a document tells in `_ignored`.

import type { Mapping } from './types/type.ts';

/**
 * True if the peer names the path. Elasticsearch names every value that it left out; OpenSearch names malformed values, and
 * not the words that are longer than `ignore_above`.
 */
export function isNamedIgnored(
  mapping: Mapping,
  path: string,
  compat: 'opensearch' | 'elasticsearch',
): boolean {
  if (compat === 'elasticsearch') return true;
  const kind = mapping.field(path)?.kind;
  return kind !== 'keyword' && kind !== 'wildcard';
}
