// Loads the corpus into a server: ten slices with a flush after each, then deletion of one document in ten.
// Up to half a million documents stay in the ten segments of their slices. Larger corpora are merged as usual
// and the last slice is not flushed, so there are segments and unsealed documents, as in an index in use.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeleted, MAPPINGS } from '../corpus/corpus.ts';
import { bytesWritten, memoryOf } from '../machine/processes.ts';
import { ask, expectEqual, INDEX, type Loaded, type Setting, type Target } from './question.ts';

export const BATCH = 2000;
export const CONNECTIONS = 4;
const SLICES = 10;
/** Up to this size a slice is one segment: it fits into one tail of Octavo and one buffer of the peer. */
const MOST_UNMERGED = 500_000;
/** Segments per tier, so that the ten segments are not merged. */
const PER_TIER = 16;
const TRIES = 3;

/** True if documents are loaded on one connection, and so in the same order on every server. */
export function loadsInOrder(docs: number): boolean {
  return docs <= MOST_UNMERGED;
}

type Loading = Pick<Setting, 'truth' | 'file' | 'folder' | 'load' | 'say'>;

export async function createIndex(
  target: Target,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await ask(target, 'PUT', `/${name}`, {
    mappings: MAPPINGS,
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      ...settings,
      // By default the peer refuses pages beyond 10,000; a larger window makes it comparable.
      ...(target.name === 'opensearch' ? { max_result_window: 10_000_000 } : {}),
    },
  });
}

/** Byte positions that split documents [from, to) of the corpus file into bulk requests. */
export function cutsOf(
  { truth }: Pick<Setting, 'truth'>,
  from: number,
  to: number,
  batch: number = BATCH,
): number[] {
  const cuts: number[] = [];
  for (let doc = from; doc < to; doc += batch) cuts.push(truth.offsets[doc] ?? 0);
  return [...cuts, truth.offsets[to] ?? 0];
}

/** Loads and deletes. `restMs` is an idle time before memory is read; threads of the load end meanwhile. */
export async function loadCorpus(setting: Loading, target: Target, restMs = 0): Promise<Loaded> {
  const { truth, load, file } = setting;
  const before = bytesWritten(target.pid);
  const keeps = loadsInOrder(truth.docs);
  await createIndex(target, INDEX, keeps ? { 'index.merge.policy.segments_per_tier': PER_TIER } : {});
  // In the peer every refresh and every concurrent writer makes a segment.
  if (target.name === 'opensearch')
    await ask(target, 'PUT', `/${INDEX}/_settings`, { index: { refresh_interval: -1 } });
  for (let slice = 0; slice < SLICES; slice++) {
    const [from, to] = [slice, slice + 1].map((n) => Math.floor((n * truth.docs) / SLICES));
    const cuts = cutsOf(setting, from ?? 0, to ?? 0);
    const path = `/${INDEX}/_bulk`;
    const done = await load.run({
      kind: 'bulk',
      url: target.url,
      path,
      file,
      cuts,
      connections: keeps ? 1 : CONNECTIONS,
    });
    if (done.error !== undefined) throw new Error(`${target.name}: loading: ${done.error}`);
    if (keeps || slice < SLICES - 1) await ask(target, 'POST', `/${INDEX}/_flush`);
  }
  if (target.name === 'opensearch')
    await ask(target, 'PUT', `/${INDEX}/_settings`, { index: { refresh_interval: null } });
  // A running merge would drop some deleted documents; then word frequencies and scores differ between servers.
  await waitUntilWritten(target);
  await deleteSome(setting, target);
  await ask(target, 'POST', `/${INDEX}/_refresh`);
  await waitUntilWritten(target);
  const { count } = await ask<{ count: number }>(target, 'GET', `/${INDEX}/_count`);
  expectEqual(target, 'documents after loading', count, truth.live);
  const after = bytesWritten(target.pid);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const memory = memoryOf(target.pid);
  return {
    bytesWritten: after === undefined || before === undefined ? undefined : after - before,
    residentBytes: memory?.now,
    peakBytes: memory?.peak,
    segments: (await statsOf(target)).segments.count,
  };
}

/**
 * Repeats the load until all deleted documents are still in the segments, as on the other servers. A merge during the
 * deletions would drop some; then word frequencies and scores differ.
 */
export async function loadWithDeletions(setting: Loading, target: Target, restMs: number): Promise<Loaded> {
  const { docs, live } = setting.truth;
  // The peer also counts its deletion markers as deleted documents.
  const died = (docs - live) * (target.name === 'opensearch' ? 2 : 1);
  for (let tries = 1; ; tries++) {
    const loaded = await loadCorpus(setting, target, restMs);
    const { deleted } = (await statsOf(target)).docs;
    if (deleted === died) return loaded;
    const says = `${target.name} has ${deleted} dead documents in its segments, not ${died}`;
    if (tries === TRIES) throw new Error(`${says}, after ${tries} tries`);
    setting.say(`${says}: it is loaded again`);
    await ask(target, 'DELETE', `/${INDEX}`);
  }
}

async function deleteSome({ truth, folder, load }: Loading, target: Target): Promise<void> {
  const file = join(folder, 'deletions.ndjson');
  const lines = truth.ids.filter((_, doc) => isDeleted(doc)).map((id) => `{"delete":{"_id":"${id}"}}\n`);
  writeFileSync(file, lines.join(''));
  const cuts = [0];
  for (let at = 0; at < lines.length; at += BATCH) {
    cuts.push((cuts.at(-1) ?? 0) + lines.slice(at, at + BATCH).join('').length);
  }
  const path = `/${INDEX}/_bulk`;
  const done = await load.run({ kind: 'bulk', url: target.url, path, file, cuts, connections: 1 });
  if (done.error !== undefined) throw new Error(`${target.name}: deleting: ${done.error}`);
}

/** Waits until nothing was written for 1.5 s (merges and seals are done), at most 30 s. */
async function waitUntilWritten(target: Target): Promise<void> {
  let before = bytesWritten(target.pid);
  for (let [tries, calm] = [0, 0]; tries < 60 && calm < 3; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = bytesWritten(target.pid);
    calm = now === before ? calm + 1 : 0;
    before = now;
  }
}

interface Stats {
  readonly docs: { readonly deleted: number };
  readonly segments: { readonly count: number };
}

async function statsOf(target: Target): Promise<Stats> {
  const path = `/${INDEX}/_stats/docs,segments`;
  const stats = await ask<{ _all: { primaries: Stats } }>(target, 'GET', path);
  return stats._all.primaries;
}
