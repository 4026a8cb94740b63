// What runs in the thread that reads documents ahead? It maps each under the mapping that it is told, and writes down what
// a tail would be told; patches are put into their documents first. A document that is malformed, or brings new fields, is left to the serving thread.

import { parentPort, workerData } from 'node:worker_threads';
import { buildAnalysis } from '../../analysis/registry.ts';
import { NO_MAPPING_LIMITS } from '../../mapping/definition/mapping-limits.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import { fieldSpecsByName, parseMapping } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Recorder } from '../../tail/recording/recorder.ts';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { mergeTrees } from '../operation/partial-update.ts';
import { spliceInto, TOO_LARGE, UNCHANGED, UNFIT } from '../operation/splice-patch.ts';
import {
  type MappingText,
  MOST_MAPPINGS,
  type PatchTable,
  type ReadAheadAnswer,
  type ReadAheadJob,
} from './messages.ts';

interface Known {
  readonly mapping: Mapping;
  readonly recorder: Recorder;
}

/** Tables of terms, emptied with every job. */
const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 256 << 20 });
const known = new Map<number, Known | undefined>();
const rests = new DutyCycle(() => isSearchingAt(workerData as Int32Array));

function know(number: number, text: MappingText): Known | undefined {
  if (known.size >= MOST_MAPPINGS) {
    for (const each of known.values()) each?.recorder.release();
    known.clear();
  }
  let made: Known | undefined;
  try {
    const mapping = parseMapping(text.mappings, buildAnalysis(text.settings), { limits: NO_MAPPING_LIMITS });
    const names = new Map<FieldSpec, string>();
    for (const [name, spec] of fieldSpecsByName(mapping)) names.set(spec, name);
    made = { mapping, recorder: new Recorder(memory, names) };
  } catch {
    // The serving thread has read it before: it goes on alone.
  }
  known.set(number, made);
  return made;
}

function read({
  mapping: number,
  text,
  nesting,
  bytes,
  starts,
  ends,
  updates,
}: ReadAheadJob): ReadAheadAnswer {
  const its = text === undefined ? known.get(number) : know(number, text);
  const given = bytes.buffer instanceof SharedArrayBuffer ? undefined : bytes;
  if (its === undefined) return { bytes: given, recorded: undefined, patched: undefined };
  const { mapping, recorder } = its;
  const context = { id: '', nesting };
  let room = updates?.room ?? 0;
  for (let i = 0; i < ends.length; i++) {
    let isWhole = false;
    try {
      if (updates !== undefined && updates.patchEnds[i]! > ends[i]!)
        room = update(i, room, { bytes, starts, ends, updates });
      const [start, end] = [starts[i]!, ends[i]!];
      recorder.begin(bytes, start);
      isWhole = end > start && mapDocument(mapping, bytes, start, end, recorder, context) === mapping;
    } catch {
      // Whatever is wrong is found again, and told, by the serving thread.
    }
    recorder.end(isWhole);
    rests.restIfDue();
  }
  return { bytes: given, recorded: recorder.take(), patched: updates && { starts, ends } };
}

/**
 * Makes the document of an update, and says of it where it lies. What changes nothing begins behind its end; what has to be
 * made by the serving thread is empty, also where this throws. Returns where there is room for the next one.
 */
function update(i: number, room: number, job: Updating): number {
  const { bytes, starts, ends, updates } = job;
  const [start, end, stop] = [starts[i]!, ends[i]!, updates.patchEnds[i]!];
  ends[i] = start;
  const source = bytes.subarray(start, end);
  const patch = bytes.subarray(end, stop);
  let length = spliceInto(source, patch, bytes, room);
  if (length === UNFIT) {
    const merged = mergeTrees(source, patch);
    length =
      merged === undefined ? UNCHANGED : merged.length > bytes.length - room ? TOO_LARGE : merged.length;
    if (length > 0) bytes.set(merged!, room);
  }
  if (length === UNCHANGED) {
    if (updates.always[i] === 1) ends[i] = end;
    else starts[i] = end;
    return room;
  }
  if (length === TOO_LARGE) return room;
  starts[i] = room;
  return (ends[i] = room + length);
}

type Updating = Pick<ReadAheadJob, 'bytes' | 'starts' | 'ends'> & { readonly updates: PatchTable };

giveWay();

parentPort?.on('message', (job: ReadAheadJob) => {
  const answer = read(job);
  const arrays =
    answer.recorded === undefined
      ? []
      : [
          answer.recorded.ends,
          answer.recorded.isWhole,
          answer.recorded.calls,
          answer.recorded.bytes,
          ...answer.recorded.fields.flatMap(({ words, terms }) => [words, terms.bytes, terms.starts]),
        ];
  if (answer.patched !== undefined) arrays.push(answer.patched.starts, answer.patched.ends);
  const given = answer.bytes === undefined ? arrays : [answer.bytes, ...arrays];
  parentPort!.postMessage(
    answer,
    given.map(({ buffer }) => buffer as ArrayBuffer),
  );
});

parentPort?.postMessage('ready');
