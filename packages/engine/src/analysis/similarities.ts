// The similarities of an index: how the terms of a field score. A mapping names them as it names analyzers, and
// both are read from the settings together.
//
//   index.similarity.default.type: BM25        of all fields that name none
//   index.similarity.mine.k1: 1.6              of fields with `similarity: mine`

import { EngineError, illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject } from '../json/value.ts';
import { boolParam, textParam } from './params.ts';
import { isTree, settingsTree } from './settings-tree.ts';

/** How the terms of a field score. */
export interface Similarity {
  /** `boolean`: a match scores its boost. */
  readonly kind: 'BM25' | 'boolean';
  /** The parameters of BM25. */
  readonly k1: number;
  readonly b: number;
  /** Whether scores have the factor k1 + 1 in OpenSearch, too. */
  readonly isLegacy: boolean;
  /** Whether tokens at the place of another one do not count for the length of a field. */
  readonly discountsOverlaps: boolean;
}

/** BM25 as fields have it without settings. */
export const BM25: Similarity = {
  kind: 'BM25',
  k1: 1.2,
  b: 0.75,
  isLegacy: false,
  discountsOverlaps: true,
};

const BUILT_IN: Readonly<Record<string, Similarity>> = { BM25, boolean: { ...BM25, kind: 'boolean' } };

const REFUSED = new Set(['DFR', 'DFI', 'IB', 'LMDirichlet', 'LMJelinekMercer', 'scripted']);
const BM25_MEMBERS = new Set(['type', 'k1', 'b', 'discount_overlaps']);

/** The similarities of one index. Immutable. */
export interface Similarities {
  readonly default: Similarity;
  /** A similarity by its name; undefined for an unknown one. */
  get(name: string): Similarity | undefined;
}

/** Reads the settings below `index.similarity`. Errors: illegal_argument_exception, settings_exception. */
export function readSimilarities(settings: JsonObject): Similarities {
  const named = new Map<string, Similarity>(Object.entries(BUILT_IN));
  let preset = BM25;
  for (const [name, members] of Object.entries(settingsTree(settings, 'similarity'))) {
    if (!isTree(members)) {
      const reason = `Failed to get setting group for [] setting prefix and setting [${name}] because of a missing '.'`;
      throw new EngineError('settings_exception', reason);
    }
    if (Object.hasOwn(BUILT_IN, name))
      throw illegalArgument(
        `illegal value for [index.similarity.${name}] cannot redefine built-in similarity`,
      );
    const similarity = readSimilarity(name, members);
    if (name === 'default') preset = similarity;
    named.set(name, similarity);
  }
  return { default: preset, get: (name) => named.get(name) };
}

/** Throws where a similarity has been dropped, under whatever name. */
export function refuseClassic(name: string): void {
  if (name === 'classic')
    throw illegalArgument(
      'The [classic] similarity may not be used anymore. Please use the [BM25] similarity or build a custom [scripted] similarity instead.',
    );
}

function readSimilarity(name: string, members: JsonObject): Similarity {
  const type = textParam(members, 'type');
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`);
  refuseClassic(type);
  if (REFUSED.has(type))
    throw illegalArgument(
      `[index.similarity.${name}.type] cannot be [${type}]: only [BM25], [LegacyBM25] and [boolean] are supported here`,
    );
  const isBm25 = type === 'BM25' || type === 'LegacyBM25';
  if (!isBm25 && type !== 'boolean') throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
  const unknown = Object.keys(members).filter((key) => !(isBm25 ? BM25_MEMBERS.has(key) : key === 'type'));
  if (unknown.length > 0)
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.join(', ')}]`);
  if (!isBm25) return BUILT_IN['boolean']!;
  const k1 = readFloat(members, 'k1', BM25.k1);
  const b = readFloat(members, 'b', BM25.b);
  if (!(k1 >= 0) || !Number.isFinite(k1))
    throw illegalArgument(`illegal k1 value: ${floatText(k1)}, must be a non-negative finite value`);
  if (!(b >= 0 && b <= 1)) throw illegalArgument(`illegal b value: ${floatText(b)}, must be between 0 and 1`);
  const discountsOverlaps = boolParam(members, 'discount_overlaps', true);
  return { kind: 'BM25', k1, b, isLegacy: type === 'LegacyBM25', discountsOverlaps };
}

function readFloat(members: JsonObject, name: string, preset: number): number {
  if (members[name] === undefined) return preset;
  const text = plainText(members[name]);
  if (/^\s*[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?)\s*$/.test(text))
    return Math.fround(Number(text.trim().replace(/[fFdD]$/, '')));
  const causedBy = new EngineError('number_format_exception', `For input string: "${text}"`);
  const reason = `Failed to parse float setting [${name}] with value [${text}]`;
  throw new EngineError('settings_exception', reason, { causedBy });
}

function floatText(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(Number(value.toPrecision(8)));
}
