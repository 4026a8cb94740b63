// Verifies that the target equals the source. Both sides are summed up (bucket-sums.ts); documents of differing
// buckets are compared one by one and repaired: written again, or deleted if the source no longer has them.
// Writes continue meanwhile, so differences are checked again until both sides were equal once.

import type { RawHit } from '../io/raw-hits.ts';
import { BucketSums, bucketOfId, hashDocument } from './bucket-sums.ts';
import { deleteDocuments, putDocuments } from './bulk-writes.ts';
import type { Endpoint } from './endpoint.ts';
import { isSameDocument } from './same-document.ts';
import { completeMarks, fetchDocuments, walkIndex } from './walk-index.ts';

export interface Comparison {
  readonly documents: number;
  /** Of all documents, if the sums were equal at once. */
  readonly digest: string | undefined;
  /** Documents written or deleted to repair differences. */
  readonly repaired: number;
  readonly deleted: number;
  /** Documents that could not be repaired. */
  readonly differing: readonly Difference[];
}

export interface Difference {
  readonly id: string;
  readonly reason: string;
}

interface CompareOptions {
  readonly source: Endpoint;
  readonly target: Endpoint;
  readonly name: string;
  /** Called with the documents read so far, of both sides. */
  readonly onRead: (documents: number) => void;
}

/** The most documents of differing buckets in memory. */
const MAX_HELD = 400_000;
const ROUNDS = 6;

/** Compares and repairs. Costs a walk through both sides, and another one if they differ. */
export async function compareIndex(options: CompareOptions): Promise<Comparison> {
  const { source, target } = options;
  let read = 0;
  const onRead = (hits: readonly RawHit[]): void => options.onRead((read += hits.length));
  const fold = async (endpoint: Endpoint): Promise<BucketSums> => {
    const sums = new BucketSums();
    for await (const hits of pages(endpoint, options.name)) {
      for (const hit of hits) sums.add(hit);
      onRead(hits);
    }
    return sums;
  };
  const [ours, theirs] = await Promise.all([fold(source), fold(target)]);
  let repaired = 0;
  let deleted = 0;
  const differing: Difference[] = [];
  const suspects = [...ours.differing(theirs)];
  // As many buckets as certainly fit in memory.
  const share = Math.max(1, Math.floor((MAX_HELD / Math.max(1, ours.count + theirs.count)) * 65_536));
  for (let at = 0; at < suspects.length; at += share) {
    const some = new Set(suspects.slice(at, at + share));
    const ids = await suspectIds(options, some, onRead);
    for (let from = 0; from < ids.length; from += BATCH) {
      const settled = await repair(options, ids.slice(from, from + BATCH));
      repaired += settled.repaired;
      deleted += settled.deleted;
      differing.push(...settled.differing);
    }
  }
  const digest = suspects.length === 0 ? ours.digest() : undefined;
  return { documents: ours.count, digest, repaired, deleted, differing };
}

const BATCH = 500;

async function* pages(endpoint: Endpoint, name: string): AsyncGenerator<readonly RawHit[]> {
  const marks = (await completeMarks(endpoint, [name])).get(name);
  if (marks !== undefined) for await (const { hits } of walkIndex(endpoint, name, {}, marks)) yield hits;
}

/** Ids in some buckets whose documents differ. */
async function suspectIds(
  { source, target, name }: CompareOptions,
  buckets: ReadonlySet<number>,
  onRead: (hits: readonly RawHit[]) => void,
): Promise<string[]> {
  const collect = async (endpoint: Endpoint): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for await (const hits of pages(endpoint, name)) {
      for (const hit of hits)
        if (buckets.has(bucketOfId(hit.id))) found.set(hit.id, hashDocument(hit).join('.'));
      onRead(hits);
    }
    return found;
  };
  const [ours, theirs] = await Promise.all([collect(source), collect(target)]);
  const ids = [...ours.keys()].filter((id) => ours.get(id) !== theirs.get(id));
  for (const id of theirs.keys()) if (!ours.has(id)) ids.push(id);
  return ids;
}

interface Repaired {
  readonly repaired: number;
  readonly deleted: number;
  readonly differing: readonly Difference[];
}

/** Repairs until each document was equal on both sides, or no longer changes. */
async function repair({ source, target, name }: CompareOptions, ids: readonly string[]): Promise<Repaired> {
  let left = ids;
  let repaired = 0;
  let deleted = 0;
  let reasons = new Map<string, string>();
  let versions = new Map<string, number | undefined>();
  for (let round = 1; ; round++) {
    const [ours, theirs] = await Promise.all([
      fetchDocuments(source, name, left),
      fetchDocuments(target, name, left),
    ]);
    left = left.filter((id) => differs(ours.get(id), theirs.get(id)));
    const written = new Map(left.map((id) => [id, ours.get(id)?.version]));
    if (left.length === 0) return { repaired, deleted, differing: [] };
    if (round === ROUNDS) {
      // Documents that change all the time are left to following; those that are stable and differ are
      // reported.
      const still = left.filter((id) => versions.get(id) === written.get(id));
      const differing = still.map((id) => ({ id, reason: reasons.get(id) ?? 'it differs' }));
      return { repaired, deleted, differing };
    }
    versions = written;
    reasons = new Map();
    const put = left.flatMap((id) => ours.get(id) ?? []);
    const gone = left.flatMap((id) => (ours.has(id) ? [] : [theirs.get(id)!]));
    const first = await putDocuments(target, name, put);
    const upToDate = new Set(first.upToDate);
    const forced = put.filter(({ id }) => upToDate.has(id));
    const second = await putDocuments(target, name, forced, 'anyway');
    const third = await deleteDocuments(target, name, gone, 'anyway');
    for (const { id, reason } of [...first.refused, ...second.refused, ...third.refused])
      reasons.set(id, reason);
    repaired += first.written + second.written;
    deleted += third.written;
  }
}

function differs(ours: RawHit | undefined, theirs: RawHit | undefined): boolean {
  if (ours === undefined || theirs === undefined) return ours !== theirs;
  return !isSameDocument(ours, theirs);
}
