// What runs in the thread that makes segments? One job after the other, to its end: nobody waits for this thread but
// the job's owner. It reads tails and segments where they lie, and copies the result to where it is told.

import { parentPort, workerData } from 'node:worker_threads';
import { createMemory } from '../../memory/arenas.ts';
import { releaseBuffers } from '../../memory/release-buffers.ts';
import { type MergeResult, mergeSegments } from '../../merge/merge-segments.ts';
import { packSegmentInThread } from '../../segment/packed/pack.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { openSegment } from '../../segment/segment-leaf.ts';
import { newScratch } from '../../tail/inversion/inversion-scratch.ts';
import { sealLent } from '../../tail/inversion/seal-lent.ts';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { encodeNumbers } from '../segment-files/numbers-file.ts';
import type { BuildJob, FromBuilder, ToBuilder } from './build-messages.ts';
import { relocationOf } from './compaction.ts';

giveWay();

/** For the little that a seal allocates. */
const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 64 << 20 });
/** What a seal takes, 60 MB for 65,536 documents of 150 words: pages that are there already cost nothing. */
let scratch = newScratch();
/** Larger scratch is given up. */
const MOST_SCRATCH = 128 << 20;
const rests = new DutyCycle(() => isSearchingAt(workerData as Int32Array));
let made: SegmentBytes | undefined;

async function receive(message: ToBuilder): Promise<FromBuilder> {
  if (message.kind !== 'place') return make(message);
  const { into } = message;
  const segment = made!;
  made = undefined;
  if (into !== undefined) copySegment(segment, into);
  releaseBuffers(segment.parts);
  if (into === undefined) return { kind: 'left out' };
  const packed = await packSegmentInThread(into, () => rests.restIfDue());
  return { kind: 'placed', files: { numbers: numbersOf(into), packed } };
}

function make(job: BuildJob): FromBuilder {
  if (job.kind === 'seal') {
    made = rests.run(sealLent(job.tail, memory, scratch, job.newDoc));
    if (scratch.inverter.byteLength > MOST_SCRATCH) scratch = newScratch();
    return { kind: 'made', docCount: made.docCount, byteLength: made.byteLength, newDoc: undefined };
  }
  const merged = merge(job);
  made = merged.segment;
  return { kind: 'made', docCount: made.docCount, byteLength: made.byteLength, newDoc: merged.newDoc };
}

function merge({ inputs, oldest }: BuildJob & { kind: 'merge' }): MergeResult {
  const leaves = inputs.map(({ bytes, drop }) => {
    const leaf = openSegment(bytes);
    return drop === undefined ? { leaf } : { leaf, drop };
  });
  const relocate = relocationOf(inputs.map(({ moved }) => moved));
  return rests.run(mergeSegments(leaves, { oldest, ...(relocate !== undefined && { relocate }) }));
}

/** The sequence numbers of a segment as a file: it takes long enough to be done here. */
function numbersOf(bytes: Uint8Array): Uint8Array {
  const { docs, docCount } = openSegment(bytes);
  return encodeNumbers(Float64Array.from({ length: docCount }, (_, doc) => docs.seqNo(doc)));
}

parentPort?.on('message', async (message: ToBuilder) => {
  let answer: FromBuilder;
  try {
    answer = await receive(message);
  } catch (error) {
    answer = {
      kind: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  parentPort!.postMessage(answer, given(answer));
});

/** What the serving thread takes over without a copy. */
function given(answer: FromBuilder): ArrayBuffer[] {
  const arrays =
    answer.kind === 'made'
      ? (answer.newDoc ?? [])
      : answer.kind === 'placed'
        ? [answer.files.numbers, ...answer.files.packed]
        : [];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
