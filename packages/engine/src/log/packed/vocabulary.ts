// Format of a vocabulary on disk. Numbers are little-endian. Everything is validated when it is read.
//
//   0 magic 'WORD'   4 format version u8   5 words with a one-byte code u8   6 words u16
//   8 length of each word u8 …             the words, in the order of their codes

import { LITERAL, leadsFor, WORD_MAX, WORDS_MAX } from './code.ts';

const MAGIC: readonly number[] = [0x57, 0x4f, 0x52, 0x44];
const VERSION = 1;
const HEADER = 8;

/** Words, in the order of their codes. */
export interface Vocabulary {
  /** The first so many words have one-byte codes. */
  readonly short: number;
  /** Length of each word, in bytes. */
  readonly lengths: Uint8Array;
  /** The words, concatenated. */
  readonly words: Uint8Array;
}

/** Encodes a vocabulary; the encoding is canonical. */
export function writeVocabulary({ short, lengths, words }: Vocabulary): Uint8Array {
  const bytes = new Uint8Array(HEADER + lengths.length + words.length);
  bytes.set(MAGIC);
  bytes[4] = VERSION;
  bytes[5] = short;
  bytes[6] = lengths.length & 0xff;
  bytes[7] = lengths.length >>> 8;
  bytes.set(lengths, HEADER);
  bytes.set(words, HEADER + lengths.length);
  return bytes;
}

/** Decodes a vocabulary as views of the bytes. Throws Error if they are not one. O(words). */
export function readVocabulary(bytes: Uint8Array): Vocabulary {
  if (bytes.length < HEADER || MAGIC.some((byte, at) => bytes[at] !== byte))
    throw new Error('not a vocabulary of the log');
  if (bytes[4] !== VERSION)
    throw new Error(`a vocabulary of format ${bytes[4]}; this version reads ${VERSION}`);
  const short = bytes[5]!;
  const count = bytes[6]! | (bytes[7]! << 8);
  const isDense = short <= LITERAL && leadsFor(count, short) === LITERAL - short;
  if (count > WORDS_MAX || !isDense || bytes.length < HEADER + count)
    throw new Error(`a vocabulary of ${count} words, ${short} of them short, in ${bytes.length} bytes`);
  const lengths = bytes.subarray(HEADER, HEADER + count);
  const words = bytes.subarray(HEADER + count);
  let sum = 0;
  for (const length of lengths) {
    if (length === 0 || length > WORD_MAX) throw new Error(`a vocabulary with a word of ${length} bytes`);
    sum += length;
  }
  if (sum !== words.length)
    throw new Error(`a vocabulary whose words have ${sum} bytes, in place of ${words.length}`);
  return { short, lengths, words };
}
