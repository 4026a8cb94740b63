// What is there now of documents that may have been written? Each is looked for wherever it may be, and for each it is said
// alone: as it is, gone, not to be looked at now, or not to be found by its id.

import type { Engine } from '@octavo/engine';
import type { DocumentChange, IntendedDocument } from '@octavo/records';
import { isObject } from '../../wire/router/json-body.ts';
import type { Cluster } from '../client/cluster.ts';

/** Documents of one request. */
const DOCUMENTS = 500;

/** What there is to tell of documents. */
export interface Looked {
  readonly changes: readonly DocumentChange[];
  /** Indices and data streams with documents of which nobody can say by their ids what became of them. */
  readonly unclear: readonly string[];
  /** What cannot be looked at now. */
  readonly later: readonly IntendedDocument[];
  /** The indices that it may be in. */
  readonly laterIn: readonly string[];
  /** Why, of one of them. */
  readonly why: string | undefined;
  /** Of one that cannot have been written and is not told: why. */
  readonly refused: string | undefined;
}

/** A document where it may be. */
interface Place {
  readonly intended: IntendedDocument;
  readonly index: string;
  readonly routing: string | undefined;
}

/** What is at a place: `refused` where nothing can have been written. */
type There =
  | { readonly is: 'there'; readonly change: DocumentChange }
  | { readonly is: 'missing' | 'unclear' }
  | { readonly is: 'refused' | 'later'; readonly why: string };

const MISSING: There = { is: 'missing' };

/**
 * Each document as it is now. One that is not there was deleted, unless it should have come to be: whoever has deleted it
 * since then has told of it. Rejects where the cluster gives no answer at all. `catalog` is needed for documents only.
 */
export async function documentsNow(
  cluster: Cluster,
  catalog: Engine | undefined,
  documents: readonly IntendedDocument[],
): Promise<Looked> {
  const changes: DocumentChange[] = [];
  const unclear = new Set<string>();
  const later: IntendedDocument[] = [];
  const laterIn = new Set<string>();
  let [why, refused]: (string | undefined)[] = [];
  const places = catalog === undefined ? [] : documents.flatMap((intended) => placesOf(catalog, intended));
  const seen = new Map<IntendedDocument, { readonly place: Place; readonly there: There }[]>();
  for (let at = 0; at < places.length; at += DOCUMENTS) {
    const some = places.slice(at, at + DOCUMENTS);
    for (const [i, there] of (await documentsAt(cluster, some)).entries()) {
      const place = some[i]!;
      const all = seen.get(place.intended) ?? [];
      all.push({ place, there });
      seen.set(place.intended, all);
    }
  }
  for (const [intended, all] of seen) {
    const is = (wanted: There['is']) => all.filter(({ there }) => there.is === wanted);
    for (const { there } of all) {
      if (there.is === 'there') changes.push(there.change);
      else if (there.is === 'later') why ??= there.why;
      else if (there.is === 'refused') refused ??= there.why;
    }
    const [first] = is('missing');
    const isThere = is('there').length > 0;
    const waiting = is('later');
    if (waiting.length > 0) for (const { place } of [...waiting, ...is('unclear')]) laterIn.add(place.index);
    // What is looked at again as it was is told then.
    if (isThere || waiting.length === 0) for (const { place } of is('unclear')) unclear.add(place.index);
    // Once it was found somewhere, it need not be anywhere else.
    if (isThere)
      later.push(
        ...waiting.map(({ place: { index, routing } }) => ({
          ...{ kind: 'index' as const, index, id: intended.id },
          ...(routing === undefined ? {} : { routing }),
        })),
      );
    else if (waiting.length > 0) later.push(intended);
    else if (first !== undefined && (intended.kind === 'delete' || intended.kind === 'update'))
      changes.push({
        ...{ kind: 'delete', index: first.place.index, id: intended.id },
        ...{ seqNo: undefined, version: undefined },
      });
  }
  return { changes, unclear: [...unclear], later, laterIn: [...laterIn], why, refused };
}

/** An alias may have led to any index that it leads to now; the first is the one that it writes to. */
function placesOf({ indices }: Engine, intended: IntendedDocument): Place[] {
  const { index: name, routing } = intended;
  if (indices.info(name) !== undefined) return [{ intended, index: name, routing }];
  const holders = indices.names().flatMap((each) => {
    const alias = indices.info(each)?.aliases[name];
    return alias === undefined ? [] : [{ index: each, alias }];
  });
  // What is neither may be a data stream, or an index that the catalog does not have.
  if (holders.length === 0) return [{ intended, index: name, routing }];
  return holders
    .toSorted((a, b) => Number(b.alias.isWriteIndex === true) - Number(a.alias.isWriteIndex === true))
    .map(({ index, alias }) => ({ intended, index, routing: routing ?? alias.indexRouting }));
}

/** What is at some places now, realtime. */
async function documentsAt(cluster: Cluster, places: readonly Place[]): Promise<There[]> {
  const docs = places.map(({ index, routing, intended }) => ({
    ...{ _index: index, _id: intended.id, _source: false },
    ...(routing === undefined ? {} : { routing }),
  }));
  const reply = await cluster.json({
    method: 'POST',
    path: '/_mget?realtime=true',
    body: Buffer.from(JSON.stringify({ docs }), 'utf8'),
    repeatable: true,
  });
  const list = reply['docs'];
  return places.map(({ index, intended: { id } }, i): There => {
    const doc = Array.isArray(list) ? list[i] : undefined;
    if (!isObject(doc)) return { is: 'later', why: `the cluster has left out [${index}/${id}]` };
    const { error } = doc;
    if (isObject(error)) return failed(error, `${index}/${id}`);
    if (doc['found'] !== true) return MISSING;
    const change: DocumentChange = {
      ...{ kind: 'index', index: String(doc['_index']), id: String(doc['_id']) },
      ...{ seqNo: Number(doc['_seq_no']), version: Number(doc['_version']) },
    };
    return { is: 'there', change };
  });
}

/** What an error says of a document. */
function failed(error: Readonly<Record<string, unknown>>, place: string): There {
  const reason = String(error['reason']);
  switch (error['type']) {
    case 'index_not_found_exception':
      // A data stream is no index where one is read by id, and has several.
      return error['excluded_ds'] === undefined ? MISSING : { is: 'unclear' };
    case 'illegal_argument_exception':
      return { is: 'unclear' };
    case 'routing_missing_exception':
      return {
        is: 'refused',
        why: `[${place}] is not told, for without a routing it cannot have been written: ${reason}`,
      };
    default:
      return { is: 'later', why: `the cluster cannot tell now of [${place}], it is asked again: ${reason}` };
  }
}
