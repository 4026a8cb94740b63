// random_score: a number in [0, 1) per document. With a seed it is the hash of a value of the document, and the same
// in every search; without one it changes with the time of the search.

import { illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import type { JsonValue } from '../../json/value.ts';
import { mixBits, murmur3 } from '../../kernels/murmur3.ts';
import type { FieldKind, FieldType } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { parsingError } from '../errors.ts';
import type { ScoreDocument, ScoreFunction } from '../node/clauses/function-score-node.ts';
import { jsonToken, readText } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import { checkFielddata, numericRows, rowsOf } from './field-numbers.ts';
import type { ScoreFunctionKind } from './score-function.ts';

/** Kinds whose values are written as doubles. */
const DOUBLES: ReadonlySet<FieldKind> = new Set(['double', 'float', 'half_float', 'scaled_float']);

/** The hash code that Java gives a text. */
function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function hashLong(value: bigint): number {
  return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)));
}

/** The lower 24 bits of a hash, as a fraction. */
function fraction(hash: number): number {
  return (hash & 0xffffff) / (1 << 24);
}

/** Hashes texts and bytes with the seed of a search. */
type Hasher = (bytes: Uint8Array, start?: number, end?: number) => number;

/** Hashes the first value of the field; a document without one has the hash of the seed. */
function hashValues(field: FieldType | '_id' | '_seq_no', leaf: Leaf, seed: number): ScoreDocument {
  const hash: Hasher = (bytes, start, end) => fraction(murmur3(bytes, start, end, seed));
  const { docs } = leaf;
  if (field === '_id') return (doc) => hash(docs.idBytes, docs.idStarts[doc]!, docs.idStarts[doc + 1]!);
  if (field === '_seq_no') return (doc) => hash(Buffer.from(String(docs.seqNo(doc))));
  const none = fraction(seed);
  const column = leaf.column(field.path);
  if (column?.kind === 'ordinal') {
    const { start, end } = rowsOf(column);
    return (doc) => {
      const at = start(doc);
      return at < end(doc) ? hash(column.terms.term(column.ordinals[at]!)) : none;
    };
  }
  const rows = numericRows(leaf, field.path);
  if (rows === undefined || field.numeric === undefined) return () => none;
  const { hi, lo } = rows.column;
  const isDouble = DOUBLES.has(field.kind);
  return (doc) => {
    const at = rows.start(doc);
    if (at >= rows.end(doc)) return none;
    const value = field.numeric!.decode(hi[at]!, lo[at]!);
    return hash(Buffer.from(isDouble ? javaDouble(Number(value)) : String(value)));
  };
}

function planRandom(given: number | undefined, path: string | undefined, planner: Planner): ScoreFunction {
  const salt = javaHash(planner.view.name) << 10;
  const seed = given ?? hashLong(BigInt(planner.now()));
  const salted = mixBits(seed ^ salt);
  if (given === undefined && path === undefined) {
    const { leaves } = planner.view;
    return {
      description: 'random score function (no seed)',
      forLeaf(leaf) {
        let base = 0;
        for (const view of leaves) {
          if (view.leaf === leaf) break;
          base += view.leaf.docCount;
        }
        return (doc) => fraction(mixBits((base + doc) ^ salted));
      },
    };
  }
  const name = path ?? '_id';
  const field = name === '_id' || name === '_seq_no' ? name : planner.field(name);
  if (field === undefined) {
    throw illegalArgument(
      `Field [${name}] is not mapped on [[${planner.view.name}/${planner.view.uuid}]] and cannot be used as a source of random numbers.`,
    );
  }
  if (typeof field !== 'string') checkFielddata(field);
  return {
    description: `random score function (seed: ${seed}, field: ${name})`,
    forLeaf: (leaf) => hashValues(field, leaf, salted),
  };
}

export const randomScore: ScoreFunctionKind = {
  name: 'random_score',
  parse(body) {
    let seed: number | undefined;
    let field: string | undefined;
    for (const [key, value] of Object.entries(body)) {
      if (key === 'seed') seed = readSeed(value);
      else if (key === 'field') field = readText(value, 'random_score', key);
      else throw parsingError(`random_score query does not support [${key}]`);
    }
    return { plan: (planner) => planRandom(seed, field, planner) };
  },
};

function readSeed(value: JsonValue): number {
  if (typeof value === 'string') return javaHash(value);
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw parsingError(`random_score seed must be an int/long or string, not '${jsonToken(value)}'`);
  if (typeof value === 'number' && !Number.isInteger(value))
    throw parsingError("random_score seed must be an int, long or string, not 'VALUE_NUMBER'");
  const whole = BigInt(value);
  if (whole === BigInt.asIntN(32, whole)) return Number(whole);
  if (whole === BigInt.asIntN(64, whole)) return hashLong(whole);
  throw parsingError("random_score seed must be an int, long or string, not 'VALUE_NUMBER'");
}
