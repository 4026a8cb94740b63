// Code of the thread that packs large appends. It learns vocabularies, and packs with the last one it was
// given.

import { parentPort, workerData } from 'node:worker_threads';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { type UnitPacking, WORD_CODEC } from './codec.ts';
import type { PackAnswer, PackJob } from './pack-messages.ts';

giveWay();

const dutyCycle = new DutyCycle(() => isSearchingAt(workerData as Int32Array));
let packing: UnitPacking | undefined;

function answerTo(job: PackJob): PackAnswer {
  try {
    if (job.kind === 'learn') return { kind: 'learn', vocabulary: WORD_CODEC.learn(job.bytes) };
    if (job.vocabulary !== undefined) {
      // If it does not open, nothing may be packed with the one before.
      packing = undefined;
      packing = WORD_CODEC.open(job.vocabulary);
    }
    return { kind: 'pack', made: packing?.pack(job.bytes, job.bytes, () => dutyCycle.restIfDue()) };
  } catch {
    // The serving thread does the job again and finds out what is wrong.
    return job.kind === 'learn'
      ? { kind: 'learn', vocabulary: undefined }
      : { kind: 'pack', made: undefined };
  }
}

parentPort?.on('message', (job: PackJob) => {
  const answer = answerTo(job);
  const result = answer.kind === 'learn' ? answer.vocabulary : answer.made?.packed;
  parentPort!.postMessage(answer, result === undefined ? [] : [result.buffer as ArrayBuffer]);
});
