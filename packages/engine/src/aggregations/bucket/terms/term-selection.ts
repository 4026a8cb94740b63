// `include` and `exclude` of aggregations over terms: patterns, lists of values, or one of several partitions by
// a hash. Patterns are automata with a limit on their states.

import { EngineError, type ErrorType, illegalArgument } from '../../../errors.ts';
import { plainText } from '../../../json/java-text.ts';
import type { JsonValue } from '../../../json/value.ts';
import { murmur3 } from '../../../kernels/murmur3.ts';
import { dateMath } from '../../../mapping/dates/date-math.ts';
import { readBoolean } from '../../../mapping/types/booleans.ts';
import { REGEXP_FLAGS, regexpAutomaton } from '../../../patterns/automaton/regexp.ts';
import { walkTerms } from '../../../query/automaton/walk-terms.ts';
import { isObject } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationContext } from '../../collect/context.ts';
import type { Members } from '../../request/members.ts';
import type { NumericSource } from '../../values/numeric-source.ts';
import type { OrdinalSource } from '../../values/ordinal-source.ts';

/** One of `count` parts. */
interface Partition {
  readonly number: number;
  readonly count: number;
}

/** A pattern, or a list of values. */
type Selection = string | readonly string[];

/** Which terms may have buckets. */
export interface TermSelection {
  readonly include: Selection | undefined;
  readonly exclude: Selection | undefined;
  readonly partition: Partition | undefined;
}

/** Reads `include` and `exclude`. */
export function readTermSelection(members: Members): TermSelection {
  const include = members.any('include');
  const exclude = members.any('exclude');
  const partition = members.nested('include', (value) =>
    isObject(value) ? readPartition(value) : undefined,
  );
  if (partition !== undefined && exclude !== undefined)
    throw illegalArgument('Cannot specify any excludes when using a partition-based include');
  return {
    include: partition === undefined ? readSelection(members, 'include', include) : undefined,
    exclude: readSelection(members, 'exclude', exclude),
    partition,
  };
}

function readSelection(members: Members, name: string, value: JsonValue | undefined): Selection | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw members.wrongType(name, value);
  return value.map((each) => {
    if (typeof each === 'object') throw members.wrongType(name, each);
    return plainText(each);
  });
}

function readPartition(include: Readonly<Record<string, JsonValue>>): Partition {
  for (const key of Object.keys(include)) {
    if (key === 'partition' || key === 'num_partitions') continue;
    throw new EngineError('x_content_parse_exception', `Unknown parameter in include: [${key}]`);
  }
  const { partition, num_partitions: count } = include;
  if (partition === undefined)
    throw illegalArgument('Missing [partition] parameter for partition-based include');
  if (count === undefined)
    throw illegalArgument('Missing [num_partitions] parameter for partition-based include');
  const found = { number: Number(plainText(partition)), count: Number(plainText(count)) };
  if (
    !Number.isInteger(found.number) ||
    !Number.isInteger(found.count) ||
    found.count < 2 ||
    found.number < 0
  )
    throw illegalArgument('[partition] and [num_partitions] must be numbers, [num_partitions] at least 2');
  if (found.number >= found.count)
    throw illegalArgument(
      `partition must be less than num_partitions, found [${found.number}] of [${found.count}]`,
    );
  return found;
}

/** Whether all terms may have buckets. */
function selectsAll({ include, exclude, partition }: TermSelection): boolean {
  return include === undefined && exclude === undefined && partition === undefined;
}

/** Terms to select from. */
type SelectableTerms = Pick<OrdinalSource, 'kind' | 'count' | 'term' | 'find' | 'bytesOf'>;

/** A flag for each number of a term; undefined where all may have buckets. */
export function* selectOrdinals(
  selection: TermSelection,
  source: SelectableTerms,
  name: string,
  context: AggregationContext,
): Steps<Uint8Array | undefined> {
  if (selectsAll(selection)) return undefined;
  const { include, exclude, partition } = selection;
  if (source.kind === 'ip' && (typeof include === 'string' || typeof exclude === 'string'))
    throw noPatterns(name, 'aggregation_execution_exception');
  const { count } = source;
  const accepted = new Uint8Array(count);
  if (partition !== undefined) {
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const hash = murmur3(source.term(ordinal), undefined, undefined, PARTITION_SEED);
      accepted[ordinal] = modulo(hash, partition.count) === partition.number ? 1 : 0;
      if (ordinal % 4096 === 4095) yield;
    }
    return accepted;
  }
  if (include === undefined) accepted.fill(1);
  else yield* mark(include, source, accepted, 1, context);
  if (exclude !== undefined) yield* mark(exclude, source, accepted, 0, context);
  return accepted;
}

/** The seed by which the peer hashes terms to partitions. */
const PARTITION_SEED = 31;

function modulo(value: number, count: number): number {
  return ((value % count) + count) % count;
}

function* mark(
  selection: Selection,
  source: SelectableTerms,
  accepted: Uint8Array,
  flag: 0 | 1,
  context: AggregationContext,
): Steps<void> {
  if (typeof selection !== 'string') {
    for (const value of selection) {
      const ordinal = source.find(source.bytesOf(value));
      if (ordinal >= 0) accepted[ordinal] = flag;
    }
    return;
  }
  const automaton = regexpAutomaton(selection, REGEXP_FLAGS['ALL']!, false, context.limits.maxStates);
  yield* walkTerms(dictionaryOf(source), automaton, (ordinal) => {
    accepted[ordinal] = flag;
  });
}

/** The terms of a source as a dictionary to be walked. */
function dictionaryOf(source: SelectableTerms): Parameters<typeof walkTerms>[0] {
  const { count } = source;
  return {
    count,
    sorted: false,
    find: (bytes, start, end) => source.find(bytes.subarray(start, end)),
    term: (ordinal) => source.term(ordinal),
    lowerBound: () => {
      throw new Error('not a sorted dictionary');
    },
    *ordinals() {
      for (let ordinal = 0; ordinal < count; ordinal++) yield ordinal;
    },
  };
}

/** The error for a pattern over what is no text. */
function noPatterns(name: string, type: ErrorType): EngineError {
  return new EngineError(
    type,
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied ` +
      'to string fields. Use an array of values for include/exclude clauses',
  );
}

function noNumberPatterns(name: string, aggregation: string): EngineError {
  return new EngineError(
    aggregation === 'terms' ? 'aggregation_execution_exception' : 'illegal_argument_exception',
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied ` +
      'to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields',
  );
}

/** Whether a number may have a bucket, by its 64-bit key; undefined where all may. */
export function selectKeys(
  { include, exclude, partition }: TermSelection,
  source: NumericSource,
  name: string,
  aggregation: string,
  now: () => number,
): ((hi: number, lo: number) => boolean) | undefined {
  if (typeof include === 'string' || typeof exclude === 'string') throw noNumberPatterns(name, aggregation);
  if (partition !== undefined) {
    const { number, count } = partition;
    return (hi, lo) => {
      const value = (BigInt(hi ^ 0x80000000) << 32n) | BigInt(lo);
      const hash = BigInt.asIntN(64, mix64(BigInt.asUintN(64, value)));
      return modulo(Number(hash % BigInt(count)), count) === number;
    };
  }
  if (include === undefined && exclude === undefined) return undefined;
  const included = include === undefined ? undefined : keySet(include, source, now);
  const excluded = keySet(exclude ?? [], source, now);
  return (hi, lo) => {
    const key = `${hi} ${lo}`;
    return included?.has(key) !== false && !excluded.has(key);
  };
}

function keySet(values: readonly string[], source: NumericSource, now: () => number): Set<string> {
  return new Set(
    values.map((text) => {
      const { hi, lo } = source.keyOf(numberOf(text, source, now));
      return `${hi} ${lo}`;
    }),
  );
}

function numberOf(text: string, { kind, format }: NumericSource, now: () => number): number {
  if (kind === 'boolean') return readBoolean(text) ? 1 : 0;
  if (format.date !== undefined) return dateMath(text, format.date, now, false, format.zone).ms;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) throw new EngineError('number_format_exception', `For input string: "${text}"`);
  return number;
}

/** The peer's hash of numbers to partitions (BitMixer.mix64 of the HPPC library). */
function mix64(value: bigint): bigint {
  let z = BigInt.asUintN(64, (value ^ (value >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = BigInt.asUintN(64, (z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return z ^ (z >> 32n);
}
