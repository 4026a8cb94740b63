// What runs in the thread that checks the log? It reads chunk after chunk and says whether each is whole, no more: what is
// wrong with one is found out by the thread that owns it.

import { fstatSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '../../thread/priority.ts';
import { Rests } from '../../thread/rests.ts';
import { isSearchingAt } from '../../turn.ts';
import { FrameMarks } from '../feed/marks.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import { lentFile } from '../lent-file.ts';
import { scanFrames } from '../recovery/scan-frames.ts';
import { Vocabularies } from '../stretch/vocabularies.ts';
import { WORDS } from '../stretch/words.ts';
import type { CheckAnswer, CheckJob } from './check-messages.ts';

/** Read, and unpacked, between two rests. */
const WINDOW_BYTES = 128 << 10;

giveWay();

const rests = new Rests(() => isSearchingAt(workerData as Int32Array));
const vocabularies = new Vocabularies(WORDS);

function marksOf(job: CheckJob): FrameMarks | undefined {
  const size = job.stored ?? fstatSync(job.descriptor).size;
  const file = lentFile(job, () => size, vocabularies);
  const marks = new FrameMarks();
  for (const step of scanFrames(file, job.number, CHUNK_HEADER, file.size(), WINDOW_BYTES)) {
    if (step.kind === 'bad') return undefined;
    marks.pass(step.header.commit, step.header.offset);
    rests.take();
  }
  return file.stray === 0 ? marks : undefined;
}

function answerTo(job: CheckJob): CheckAnswer {
  try {
    return { marks: marksOf(job)?.told };
  } catch {
    // The file may be closed by now.
    return { marks: undefined };
  }
}

parentPort?.on('message', (job: CheckJob) => parentPort!.postMessage(answerTo(job)));
