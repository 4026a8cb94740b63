// Deletes documents whose sources cannot be read, and writes the readable sources of damaged chunks again. Then
// nothing needs the damaged chunks any more, and they are removed like all unused ones.

import type { WriteOp, WriteResult } from '../api.ts';
import { EngineError } from '../errors.ts';
import type { LogFinding } from '../log/chunk/chunk.ts';
import type { DocumentLog } from '../log/log.ts';
import { Turn } from '../turn.ts';
import type { IndexState } from '../write/index-state/index-state.ts';
import type { Maintenance } from '../write/maintenance/maintenance.ts';

/** What it needs of the engine. */
interface UnreadableEnvironment {
  readonly log: DocumentLog;
  readonly states: () => Iterable<IndexState>;
  readonly write: (ops: readonly WriteOp[]) => Promise<WriteResult[]>;
  readonly maintenance: Pick<Maintenance, 'rewriteChunks'>;
}

const DELETES_AT_ONCE = 1_000;

/** Returns what is lost, one line for each index; nothing if every source can be read. */
export async function dropUnreadable(env: UnreadableEnvironment): Promise<string[]> {
  const damaged = new Set<number>();
  const losses: string[] = [];
  await env.log.verify((finding) => {
    if (finding.kind !== 'damaged') return;
    damaged.add(finding.chunk);
    losses.push(...lostFrames(finding, env));
  });
  const there = new Set(env.log.chunks().map(({ number }) => number));
  for (const state of env.states()) {
    const { name } = state.info;
    const unreadable = await unreadableOf(state, env, (chunk) => damaged.has(chunk) || !there.has(chunk));
    if (unreadable.length === 0) continue;
    const refusal = await remove(unreadable, env);
    const documents = unreadable.length === 1 ? 'one document' : `${unreadable.length} documents`;
    const ids = unreadable.slice(0, 3).map(({ id }) => id);
    const more = unreadable.length > ids.length ? ', …' : '';
    losses.push(
      `${documents} of [${name}] cannot be read: ${ids.join(', ')}${more}${refusal === undefined ? '' : `; they stay, because of this: ${refusal}`}`,
    );
  }
  if (damaged.size > 0) for (const state of env.states()) await env.maintenance.rewriteChunks(state, damaged);
  return losses;
}

/** Damaged frames whose records are in no segment. */
function lostFrames(finding: LogFinding, { log, states }: UnreadableEnvironment): string[] {
  const frames = log.framesAt(finding);
  const all = [...states()];
  if (frames.length === 0 && finding.length > 0) {
    const { first, last } = log.commitsOf(finding.chunk);
    return all.some(({ watermark }) => watermark < last)
      ? [
          `${finding.length} bytes at ${finding.offset} of chunk ${finding.chunk}, which has commits ${first} to ${last}`,
        ]
      : [];
  }
  return frames.flatMap(({ commit, records, indexNumber }) => {
    const state = all.find(({ number }) => number === indexNumber);
    if (state === undefined ? all.every(({ watermark }) => watermark >= commit) : state.watermark >= commit)
      return [];
    const where = state === undefined ? '' : ` of [${state.info.name}]`;
    const writes = records === 1 ? 'one write' : `${records} writes`;
    return [`commit ${commit} with ${writes}${where}: what lies in the damage`];
  });
}

/** Deletions of the living documents whose sources cannot be read. O(documents). REQUIRES: the engine just started. */
async function unreadableOf(
  state: IndexState,
  { log }: UnreadableEnvironment,
  isSuspect: (chunk: number) => boolean,
): Promise<(WriteOp & { id: string })[]> {
  const found: (WriteOp & { id: string })[] = [];
  const turn = new Turn();
  // Documents of tails have just been read from the log.
  for (const { leaf } of state.segments) {
    const { docs, deaths, docCount } = leaf;
    for (let doc = 0; doc < docCount; doc++) {
      if (deaths.isDead(doc) || !isSuspect(docs.sourceChunk(doc))) continue;
      if (turn.isOver()) await turn.next();
      try {
        log.read(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc));
      } catch (error) {
        if (!(error instanceof EngineError) || error.type !== 'corrupt_index_exception') throw error;
        const routing = docs.routing(doc);
        found.push({
          ...{ kind: 'delete', index: state.info.name, id: docs.id(doc) },
          ...(routing !== undefined && { routing }),
        });
      }
    }
  }
  return found;
}

/** Deletes documents; returns why some of them stay. */
async function remove(ops: readonly WriteOp[], env: UnreadableEnvironment): Promise<string | undefined> {
  let refusal: string | undefined;
  try {
    for (let from = 0; from < ops.length; from += DELETES_AT_ONCE)
      for (const { error } of await env.write(ops.slice(from, from + DELETES_AT_ONCE)))
        refusal ??= error?.message;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    refusal = error.message;
  }
  return refusal;
}
