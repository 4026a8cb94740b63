// The present state of documents that may have been written. Each document is looked up in every index it may
// be in, and is found, deleted, unreadable for now, or not to be found by its id.

import { type Engine, isObject } from '@octavo/engine';
import type { DocumentChange, IntendedDocument } from '@octavo/records';
import type { PeerCluster } from '../client/peer-cluster.ts';

const DOCUMENTS_PER_REQUEST = 500;

/** The present state of some documents. */
export interface CurrentDocuments {
  readonly changes: readonly DocumentChange[];
  /** Indices and data streams with documents whose state cannot be determined by id. */
  readonly unclear: readonly string[];
  /** Documents that cannot be read now. */
  readonly later: readonly IntendedDocument[];
  /** The indices that these may be in. */
  readonly laterIn: readonly string[];
  /** Why one of them cannot be read. */
  readonly why: string | undefined;
  /** Why one document cannot have been written and is not published. */
  readonly refused: string | undefined;
}

/** An index that a document may be in. */
interface PossibleLocation {
  readonly intended: IntendedDocument;
  readonly index: string;
  readonly routing: string | undefined;
}

/** The state of a document in one index; `refused` if it cannot have been written there. */
type DocumentState =
  | { readonly is: 'there'; readonly change: DocumentChange }
  | { readonly is: 'missing' | 'unclear' }
  | { readonly is: 'refused' | 'later'; readonly why: string };

const MISSING: DocumentState = { is: 'missing' };

/**
 * Reads the state of each document. A missing document was deleted, unless it was about to be created: its
 * deletion was then published by whoever deleted it. Rejects if the cluster does not answer at all. `catalog`
 * is needed only if there are documents.
 */
export async function readCurrentDocuments(
  cluster: PeerCluster,
  catalog: Engine | undefined,
  documents: readonly IntendedDocument[],
): Promise<CurrentDocuments> {
  const changes: DocumentChange[] = [];
  const unclear = new Set<string>();
  const later: IntendedDocument[] = [];
  const laterIn = new Set<string>();
  let [why, refused]: (string | undefined)[] = [];
  const places =
    catalog === undefined ? [] : documents.flatMap((intended) => possibleLocations(catalog, intended));
  const seen = new Map<
    IntendedDocument,
    { readonly place: PossibleLocation; readonly there: DocumentState }[]
  >();
  for (let at = 0; at < places.length; at += DOCUMENTS_PER_REQUEST) {
    const some = places.slice(at, at + DOCUMENTS_PER_REQUEST);
    for (const [i, there] of (await readLocations(cluster, some)).entries()) {
      const place = some[i]!;
      const all = seen.get(place.intended) ?? [];
      all.push({ place, there });
      seen.set(place.intended, all);
    }
  }
  for (const [intended, all] of seen) {
    const is = (wanted: DocumentState['is']) => all.filter(({ there }) => there.is === wanted);
    for (const { there } of all) {
      if (there.is === 'there') changes.push(there.change);
      else if (there.is === 'later') why ??= there.why;
      else if (there.is === 'refused') refused ??= there.why;
    }
    const [first] = is('missing');
    const isThere = is('there').length > 0;
    const waiting = is('later');
    if (waiting.length > 0) for (const { place } of [...waiting, ...is('unclear')]) laterIn.add(place.index);
    // A document that will be read again is published then.
    if (isThere || waiting.length === 0) for (const { place } of is('unclear')) unclear.add(place.index);
    // Once found in one index, it need not be in another.
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

/** An alias may have led to any of its present indices. Its write index comes first. */
function possibleLocations({ indices }: Engine, intended: IntendedDocument): PossibleLocation[] {
  const { index: name, routing } = intended;
  if (indices.info(name) !== undefined) return [{ intended, index: name, routing }];
  const holders = indices.names().flatMap((each) => {
    const alias = indices.info(each)?.aliases[name];
    return alias === undefined ? [] : [{ index: each, alias }];
  });
  // An unknown name may be a data stream, or an index newer than the catalog.
  if (holders.length === 0) return [{ intended, index: name, routing }];
  return holders
    .toSorted((a, b) => Number(b.alias.isWriteIndex === true) - Number(a.alias.isWriteIndex === true))
    .map(({ index, alias }) => ({ intended, index, routing: routing ?? alias.indexRouting }));
}

/** The state at some locations, in real time. */
async function readLocations(
  cluster: PeerCluster,
  places: readonly PossibleLocation[],
): Promise<DocumentState[]> {
  const docs = places.map(({ index, routing, intended }) => ({
    ...{ _index: index, _id: intended.id, _source: false },
    ...(routing === undefined ? {} : { routing }),
  }));
  const reply = await cluster.requestJson({
    method: 'POST',
    path: '/_mget?realtime=true',
    body: Buffer.from(JSON.stringify({ docs }), 'utf8'),
    repeatable: true,
  });
  const list = reply['docs'];
  return places.map(({ index, intended: { id } }, i): DocumentState => {
    const doc = Array.isArray(list) ? list[i] : undefined;
    if (!isObject(doc)) return { is: 'later', why: `the cluster has left out [${index}/${id}]` };
    const { error } = doc;
    if (isObject(error)) return stateOfError(error, `${index}/${id}`);
    if (doc['found'] !== true) return MISSING;
    const change: DocumentChange = {
      ...{ kind: 'index', index: String(doc['_index']), id: String(doc['_id']) },
      ...{ seqNo: Number(doc['_seq_no']), version: Number(doc['_version']) },
    };
    return { is: 'there', change };
  });
}

/** The state that an error implies. */
function stateOfError(error: Readonly<Record<string, unknown>>, place: string): DocumentState {
  const reason = String(error['reason']);
  switch (error['type']) {
    case 'index_not_found_exception':
      // A data stream has several indices and cannot be read by id.
      return error['excluded_ds'] === undefined ? MISSING : { is: 'unclear' };
    case 'illegal_argument_exception':
      return { is: 'unclear' };
    case 'routing_missing_exception':
      return {
        is: 'refused',
        why: `[${place}] is not published: without a routing it cannot have been written: ${reason}`,
      };
    default:
      return { is: 'later', why: `the cluster cannot read [${place}] now and is asked again: ${reason}` };
  }
}
