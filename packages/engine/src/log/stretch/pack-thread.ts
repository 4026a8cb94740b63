// What runs in the thread that packs large appends? It learns words, and packs with the last ones that it was given.

import { parentPort, workerData } from 'node:worker_threads';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { type UnitPacking, WORD_CODEC } from './codec.ts';
import type { PackAnswer, PackJob } from './pack-messages.ts';

giveWay();

const rests = new DutyCycle(() => isSearchingAt(workerData as Int32Array));
let packing: UnitPacking | undefined;

function answerTo(job: PackJob): PackAnswer {
  try {
    if (job.kind === 'learn') return { kind: 'learn', vocabulary: WORD_CODEC.learn(job.bytes) };
    if (job.vocabulary !== undefined) {
      // Should these not open, nothing may be packed with those before.
      packing = undefined;
      packing = WORD_CODEC.open(job.vocabulary);
    }
    return { kind: 'pack', made: packing?.pack(job.bytes, job.bytes, () => rests.restIfDue()) };
  } catch {
    // The serving thread does it again, and finds out what is wrong.
    return job.kind === 'learn'
      ? { kind: 'learn', vocabulary: undefined }
      : { kind: 'pack', made: undefined };
  }
}

parentPort?.on('message', (job: PackJob) => {
  const answer = answerTo(job);
  const given = answer.kind === 'learn' ? answer.vocabulary : answer.made?.packed;
  parentPort!.postMessage(answer, given === undefined ? [] : [given.buffer as ArrayBuffer]);
});
