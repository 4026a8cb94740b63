// On which shard would the peer keep a document? An index is one piece here, but with several shards in its settings a
// read with another routing has to miss, as it does there.

import { type IndexInfo, type StoredDoc, shardOf } from '@octavo/engine';

/** True where a read by id with this routing (the id by default) finds the document. */
export function onSameShard(info: IndexInfo, doc: StoredDoc, routing: string | undefined): boolean {
  const shards = Number(info.settings['index.number_of_shards'] ?? 1);
  if (shards <= 1) return true;
  const asked = routing ?? doc.id;
  const kept = doc.routing ?? doc.id;
  return asked === kept || shardOf(asked, info.settings) === shardOf(kept, info.settings);
}
