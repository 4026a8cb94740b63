// What runs in the thread that reads documents ahead? It maps each under the mapping that it is told, and writes down what
// a tail would be told. A document that is malformed, or brings new fields, is left to the serving thread.

import { parentPort, workerData } from 'node:worker_threads';
import { buildAnalysis } from '../analysis/registry.ts';
import { mapDocument } from '../mapping/document.ts';
import type { FieldSpec } from '../mapping/field.ts';
import { namedSpecs, parseMapping } from '../mapping/mapping.ts';
import type { Mapping } from '../mapping/type.ts';
import { createMemory } from '../memory/arenas.ts';
import { Recorder } from '../tail/recorder.ts';
import { Rests } from '../thread/rests.ts';
import { isReadAt } from '../turn.ts';
import { type AheadAnswer, type AheadJob, type MappingText, MOST_MAPPINGS } from './ahead-messages.ts';

interface Known {
  readonly mapping: Mapping;
  readonly recorder: Recorder;
}

/** Tables of terms, emptied with every job. */
const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 256 << 20 });
const known = new Map<number, Known | undefined>();
const rests = new Rests(() => isReadAt(workerData as Int32Array));

function know(number: number, text: MappingText): Known | undefined {
  if (known.size >= MOST_MAPPINGS) {
    for (const each of known.values()) each?.recorder.release();
    known.clear();
  }
  let made: Known | undefined;
  try {
    const limits = { totalFields: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };
    const mapping = parseMapping(text.mappings, buildAnalysis(text.settings), { limits });
    const names = new Map<FieldSpec, string>();
    for (const [name, spec] of namedSpecs(mapping)) names.set(spec, name);
    made = { mapping, recorder: new Recorder(memory, names) };
  } catch {
    // The serving thread has read it before: it goes on alone.
  }
  known.set(number, made);
  return made;
}

function read({ mapping: number, text, bytes, starts, ends }: AheadJob): AheadAnswer {
  const its = text === undefined ? known.get(number) : know(number, text);
  const given = bytes.buffer instanceof SharedArrayBuffer ? undefined : bytes;
  if (its === undefined) return { bytes: given, read: undefined };
  const { mapping, recorder } = its;
  for (let i = 0; i < ends.length; i++) {
    const [start, end] = [starts[i]!, ends[i]!];
    let isWhole = false;
    recorder.begin(bytes, start);
    try {
      isWhole = end > start && mapDocument(mapping, bytes, start, end, recorder, { id: '' }) === mapping;
    } catch {
      // Whatever is wrong is found again, and told, by the serving thread.
    }
    recorder.end(isWhole);
    rests.take();
  }
  return { bytes: given, read: recorder.take() };
}

parentPort?.on('message', (job: AheadJob) => {
  const answer = read(job);
  const arrays =
    answer.read === undefined
      ? []
      : [
          answer.read.ends,
          answer.read.isWhole,
          answer.read.calls,
          answer.read.bytes,
          ...answer.read.fields.flatMap(({ words, terms }) => [words, terms.bytes, terms.starts]),
        ];
  const given = answer.bytes === undefined ? arrays : [answer.bytes, ...arrays];
  parentPort!.postMessage(
    answer,
    given.map(({ buffer }) => buffer as ArrayBuffer),
  );
});

parentPort?.postMessage('ready');
