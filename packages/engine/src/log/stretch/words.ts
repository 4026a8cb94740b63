// What packs the chunks of the log? Words of a sample.

import { learnVocabulary } from '../packed/learn.ts';
import { Packing } from '../packed/packing.ts';
import type { Codec } from './codec.ts';

export const WORDS: Codec = {
  learn: learnVocabulary,
  open: (vocabulary) => new Packing(vocabulary),
};
