// Code of the thread that builds segments. It runs one job at a time to its end, reads tails and segments
// where they lie in the arenas, and copies the result into the block it is given. It also packs the files of
// the segment.

import { parentPort, workerData } from 'node:worker_threads';
import { createMemory } from '../../memory/arenas.ts';
import { releaseBuffers } from '../../memory/release-buffers.ts';
import { type MergeResult, mergeSegments } from '../../merge/merge-segments.ts';
import { packSegmentInThread } from '../../segment/packed/pack.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { openSegment } from '../../segment/segment-leaf.ts';
import { sealLent } from '../../tail/inversion/seal-lent.ts';
import { newScratch } from '../../tail/inversion/write-range.ts';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { encodeNumbers } from '../segment-files/numbers-file.ts';
import type { BuildJob, FromBuilder, ToBuilder } from './build-messages.ts';
import { relocationOf } from './compaction.ts';

giveWay();

/** For the small allocations of a seal. */
const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 64 << 20 });
/**
 * Scratch of a seal, 60 MB for 65,536 documents of 150 words; reused, because fresh pages cost a fault each.
 */
let scratch = newScratch();
/** Larger scratch is released after use. */
const MAX_SCRATCH = 128 << 20;
const dutyCycle = new DutyCycle(() => isSearchingAt(workerData as Int32Array));
let made: SegmentBytes | undefined;

async function receive(message: ToBuilder): Promise<FromBuilder> {
  if (message.kind !== 'place') return make(message);
  const { into } = message;
  const segment = made!;
  made = undefined;
  if (into !== undefined) copySegment(segment, into);
  releaseBuffers(segment.parts);
  if (into === undefined) return { kind: 'left out' };
  const packed = await packSegmentInThread(into, () => dutyCycle.restIfDue());
  return { kind: 'placed', files: { numbers: numbersOf(into), packed } };
}

function make(job: BuildJob): FromBuilder {
  if (job.kind === 'seal') {
    made = dutyCycle.run(sealLent(job.tail, memory, scratch, job.newDoc));
    if (scratch.inverter.byteLength > MAX_SCRATCH) scratch = newScratch();
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
  return dutyCycle.run(mergeSegments(leaves, { oldest, ...(relocate !== undefined && { relocate }) }));
}

/** The sequence numbers of a segment as a file; encoded here because it takes long enough. */
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
  parentPort!.postMessage(answer, transferred(answer));
});

/** Buffers transferred to the serving thread without a copy. */
function transferred(answer: FromBuilder): ArrayBuffer[] {
  const arrays =
    answer.kind === 'made'
      ? (answer.newDoc ?? [])
      : answer.kind === 'placed'
        ? [answer.files.numbers, ...answer.files.packed]
        : [];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
