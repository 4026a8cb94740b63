// Code of the thread that parses documents ahead. It applies patches, maps each document under the mapping it
// is given and records the calls that a tail would get. A document that is malformed or brings new fields is
// left to the writer, unless it is large: then the writer is told the error, or the mapping with the new fields.

import { parentPort, workerData } from 'node:worker_threads';
import { buildAnalysis } from '../../analysis/registry.ts';
import { packError } from '../../errors.ts';
import { NO_MAPPING_LIMITS } from '../../mapping/definition/mapping-limits.ts';
import { isDocumentFault } from '../../mapping/document/document-errors.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import { fieldSpecsByName, type IndexMapping, parseMapping } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Recorder } from '../../tail/recording/recorder.ts';
import { DutyCycle } from '../../thread/duty-cycle.ts';
import { giveWay } from '../../thread/priority.ts';
import { isSearchingAt } from '../../turn.ts';
import { mergeTrees } from '../operation/partial-update.ts';
import { spliceInto, TOO_LARGE, UNCHANGED, UNFIT } from '../operation/splice-patch.ts';
import {
  type LargeDocument,
  MAX_MAPPINGS,
  type MappingText,
  type PatchTable,
  type ReadAheadAnswer,
  type ReadAheadJob,
} from './messages.ts';

interface ThreadMapping {
  readonly mapping: IndexMapping;
  readonly recorder: Recorder;
}

/** Tables of terms, emptied with every job. */
const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 256 << 20 });
const mappings = new Map<number, ThreadMapping | undefined>();
const dutyCycle = new DutyCycle(() => isSearchingAt(workerData as Int32Array));

function parse(number: number, text: MappingText): ThreadMapping | undefined {
  if (mappings.size >= MAX_MAPPINGS) {
    for (const each of mappings.values()) each?.recorder.release();
    mappings.clear();
  }
  let made: ThreadMapping | undefined;
  try {
    const analysis = buildAnalysis(text.settings);
    const mapping = parseMapping(text.mappings, analysis, { limits: NO_MAPPING_LIMITS }) as IndexMapping;
    made = { mapping, recorder: new Recorder(memory, namesOf(mapping)) };
  } catch {
    // The serving thread has parsed this mapping before: it parses the documents too.
  }
  mappings.set(number, made);
  return made;
}

function namesOf(mapping: Mapping): Map<FieldSpec, string> {
  return new Map(Array.from(fieldSpecsByName(mapping), ([name, spec]) => [spec, name]));
}

function record(job: ReadAheadJob): ReadAheadAnswer {
  const { mapping: number, text, nesting, limits, bytes, starts, ends, updates, large } = job;
  const entry = text === undefined ? mappings.get(number) : parse(number, text);
  if (entry === undefined) return { bytes, recorded: undefined, patched: undefined };
  if (large !== undefined) return recordLarge(entry, job, large);
  const { recorder } = entry;
  const mapping = entry.mapping.withLimits(limits);
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
      // The writer finds the error again and reports it.
    }
    recorder.end(isWhole);
    dutyCycle.restIfDue();
  }
  return { bytes, recorded: recorder.take(), patched: updates && { starts, ends } };
}

/** Records the one document of a job, with a recorder of its own for its new fields. */
function recordLarge({ mapping }: ThreadMapping, job: ReadAheadJob, large: LargeDocument): ReadAheadAnswer {
  const { nesting, limits, bytes, starts, ends, updates } = job;
  const recorder = new Recorder(memory);
  const before = mapping.withLimits(limits);
  const nothing = { bytes, recorded: undefined, patched: undefined };
  try {
    if (updates !== undefined) update(0, updates.room, { bytes, starts, ends, updates });
    const [start, end] = [starts[0]!, ends[0]!];
    const patched = updates && { starts, ends };
    if (start > end) return { bytes, recorded: recorder.take(namesOf(mapping)), patched };
    if (start === end) return nothing;
    recorder.begin(bytes, start);
    const after = mapDocument(before, bytes, start, end, recorder, { ...large, nesting });
    recorder.end(true);
    const grown = after === before ? undefined : { properties: after.toJson()['properties']! };
    return { bytes, recorded: recorder.take(namesOf(after)), patched, grown };
  } catch (error) {
    // Without memory the writer maps it.
    return isDocumentFault(error) ? { ...nothing, fault: packError(error) } : nothing;
  } finally {
    recorder.release();
  }
}

/**
 * Applies the patch of an update and notes the position of the result: start > end if nothing changes, empty
 * if the writer has to apply it (also if this throws). Returns where there is room for the next one.
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
  const answer = record(job);
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
  parentPort!.postMessage(
    answer,
    [answer.bytes, ...arrays].map(({ buffer }) => buffer as ArrayBuffer),
  );
});

parentPort?.postMessage('ready');
