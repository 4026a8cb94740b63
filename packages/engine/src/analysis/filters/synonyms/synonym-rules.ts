// Reads synonym rules, in Solr's format (`a, b c => d`) or in WordNet's (`s(100000001,1,'word',n,1,0).`), into a map.

import { type EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Steps } from '../../../turn.ts';
import type { Token } from '../../analyzer.ts';
import { boolParam, listParam, refuseFile, textParam } from '../../params.ts';
import { SynonymMap } from './synonym-map.ts';

/** What the settings of a filter say of its rules. */
export interface SynonymSettings {
  readonly rules: readonly string[];
  readonly isWordnet: boolean;
  /** Whether synonyms stand for each other; else all of them for the first. */
  readonly expand: boolean;
  /** Whether rules that cannot be used are left out. */
  readonly lenient: boolean;
  readonly analyzer: string | undefined;
}

export function synonymSettings(name: string, params: JsonObject): SynonymSettings {
  refuseFile(name, params, 'synonyms_path', 'synonyms');
  const rules = listParam(params, 'synonyms');
  if (rules === undefined)
    throw illegalArgument('synonym requires either `synonyms` or `synonyms_path` to be configured');
  return {
    rules,
    isWordnet: textParam(params, 'format')?.toLowerCase() === 'wordnet',
    expand: boolParam(params, 'expand', true),
    lenient: boolParam(params, 'lenient', false),
    analyzer: textParam(params, 'synonym_analyzer'),
  };
}

/** Rules between two yields: about half a millisecond. */
const RULES_AT_ONCE = 32;

/** The map of some rules, whose texts `analyze` cuts into words. Throws illegal_argument_exception for a wrong rule. */
export function* readSynonyms(
  settings: SynonymSettings,
  analyze: (text: string) => Token[],
): Steps<SynonymMap> {
  const map = new SynonymMap();
  const words = (text: string): string[] | undefined => {
    const found = wordsOf(analyze(text));
    if (found === undefined && !settings.lenient) throw unusable();
    return found;
  };
  const add = (phrases: readonly (string[] | undefined)[]): void => {
    const group = phrases.filter((phrase) => phrase !== undefined);
    if (settings.expand) {
      for (const from of group) for (const to of group) if (from !== to) map.add(from, to, true);
    } else if (phrases[0] !== undefined) for (const from of group) map.add(from, phrases[0], false);
  };
  const addGroup = (group: readonly string[]): void => add(group.map(words));
  const addRule = (rule: string): void => addSolrRule(rule, map, words, add);
  if (settings.isWordnet) yield* inSteps(wordnetGroups(settings.rules), addGroup);
  else yield* inSteps(settings.rules, addRule);
  return map;
}

function* inSteps<T>(items: readonly T[], each: (item: T) => void): Steps<void> {
  for (const [i, item] of items.entries()) {
    each(item);
    if (i % RULES_AT_ONCE === 0) yield;
  }
}

function unusable(): EngineError {
  return illegalArgument('Failed to build synonyms');
}

/** The words of a text; undefined where they do not follow each other one by one. */
function wordsOf(tokens: readonly Token[]): string[] | undefined {
  const isRow = tokens.length > 0 && tokens.every(({ term, position }, i) => term !== '' && position === i);
  return isRow ? tokens.map(({ term }) => term) : undefined;
}

function addSolrRule(
  rule: string,
  map: SynonymMap,
  words: (text: string) => string[] | undefined,
  add: (phrases: readonly (string[] | undefined)[]) => void,
): void {
  if (rule === '' || rule.startsWith('#')) return;
  const sides = splitUnescaped(rule, '=>').map((side) =>
    splitUnescaped(side, ',').map((text) => words(text.replace(/\\(.)/gs, '$1').trim())),
  );
  if (sides.length > 2) throw unusable();
  const [from = [], to] = sides;
  if (to === undefined) add(from);
  else {
    for (const input of from) {
      for (const output of to) {
        if (input !== undefined && output !== undefined) map.add(input, output, false);
      }
    }
  }
}

/** Parts between separators, without empty ones. A backslash takes its meaning from the character behind it. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; ) {
    if (text.startsWith(separator, at)) {
      parts.push(part);
      part = '';
      at += separator.length;
    } else {
      const length = text[at] === '\\' ? 2 : 1;
      part += text.slice(at, at + length);
      at += length;
    }
  }
  parts.push(part);
  return parts.filter((one) => one !== '');
}

/** The texts of each set of synonyms; lines of a set follow each other. */
function wordnetGroups(rules: readonly string[]): string[][] {
  const groups: string[][] = [];
  let last: string | undefined;
  for (const rule of rules) {
    if (rule.startsWith('#') || rule === '') continue;
    if (rule.length < 11) throw unusable();
    const set = rule.slice(2, 11);
    if (set !== last) groups.push([]);
    last = set;
    const text = rule.slice(rule.indexOf("'") + 1, rule.lastIndexOf("'"));
    groups.at(-1)!.push(text.replaceAll("''", "'"));
  }
  return groups.filter((group) => group.length > 1);
}
