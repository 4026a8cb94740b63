// Code of the thread that checks the log. It reads chunk after chunk and says whether each is intact, no
// more: the serving thread reads a damaged chunk again and finds out what is wrong.

import { fstatSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { openDescriptorFile } from '../chunk/read-only-chunk.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import { WORD_CODEC } from '../stretch/codec.ts';
import { Vocabularies } from '../stretch/vocabularies.ts';
import type { CheckAnswer, CheckJob } from './check-messages.ts';

/** Bytes read and unpacked between two rests. */
const WINDOW_BYTES = 128 << 10;

giveWay();

const dutyCycle = new DutyCycle(() => isSearchingAt(workerData as Int32Array));
const vocabularies = new Vocabularies(WORD_CODEC);

function marksOf(job: CheckJob): FrameMarks | undefined {
  const size = job.stored ?? fstatSync(job.descriptor).size;
  const file = openDescriptorFile(job, () => size, vocabularies);
  const marks = new FrameMarks();
  for (const step of scanFrames(file, job.number, CHUNK_HEADER, file.size(), WINDOW_BYTES)) {
    if (step.kind === 'bad') return undefined;
    marks.add(step.header.commit, step.header.offset);
    dutyCycle.restIfDue();
  }
  return file.strayEnd === 0 ? marks : undefined;
}

function answerTo(job: CheckJob): CheckAnswer {
  try {
    return { marks: marksOf(job)?.data };
  } catch {
    // The file may be closed by now.
    return { marks: undefined };
  }
}

parentPort?.on('message', (job: CheckJob) => parentPort!.postMessage(answerTo(job)));
