// Which mappings has the thread been told that reads documents ahead, and what has it told of each? Mappings have numbers;
// the text of one goes along with the first job under it.

import { fieldSpecsByName } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { RecordingReader } from '../../tail/recording/recording.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { MOST_MAPPINGS, type ReadAheadJob } from './messages.ts';

interface Known {
  readonly number: number;
  readonly recordings: RecordingReader;
}

/** How a job says its mapping, and what its answer is to be shown to. */
export interface MappingIntroduction {
  readonly job: Pick<ReadAheadJob, 'mapping' | 'text'>;
  readonly recordings: RecordingReader;
}

/** The serving thread's side. */
export class ThreadMappings {
  #known = new Map<Mapping, Known>();
  #last = 0;

  /** The mapping of an index, as it is now. REQUIRES: the job is sent next. */
  introduce({ mapping, info }: IndexState): MappingIntroduction {
    const known = this.#known.get(mapping);
    if (known !== undefined)
      return { job: { mapping: known.number, text: undefined }, recordings: known.recordings };
    const text = { mappings: mapping.toJson(), settings: info.settings };
    const recordings = new RecordingReader(fieldSpecsByName(mapping));
    // The thread forgets all at the same number.
    if (this.#known.size >= MOST_MAPPINGS) this.#known = new Map();
    const number = ++this.#last;
    this.#known.set(mapping, { number, recordings });
    return { job: { mapping: number, text }, recordings };
  }

  clear(): void {
    this.#known = new Map();
  }
}
