// The mappings that the read-ahead thread has. Each has a number; its text is sent with the first job under
// it.

import { fieldSpecsByName } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { RecordingReader } from '../../tail/recording/recording.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { MAX_MAPPINGS, type ReadAheadJob } from './messages.ts';

interface SentMapping {
  readonly number: number;
  readonly recordings: RecordingReader;
}

/** The part of a job that names its mapping, and the recordings that its answer belongs to. */
interface MappingIntroduction {
  readonly job: Pick<ReadAheadJob, 'mapping' | 'text'>;
  readonly recordings: RecordingReader;
}

/** The table on the side of the serving thread. */
export class ThreadMappings {
  #mappings = new Map<Mapping, SentMapping>();
  #last = 0;

  /** The current mapping of an index. REQUIRES: the job is sent next. */
  introduce({ mapping, info }: IndexState): MappingIntroduction {
    const known = this.#mappings.get(mapping);
    if (known !== undefined)
      return { job: { mapping: known.number, text: undefined }, recordings: known.recordings };
    const text = { mappings: mapping.toJson(), settings: info.settings };
    const recordings = new RecordingReader(fieldSpecsByName(mapping));
    // The thread clears its table at the same size.
    if (this.#mappings.size >= MAX_MAPPINGS) this.#mappings = new Map();
    const number = ++this.#last;
    this.#mappings.set(mapping, { number, recordings });
    return { job: { mapping: number, text }, recordings };
  }

  clear(): void {
    this.#mappings = new Map();
  }
}
