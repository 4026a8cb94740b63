// Leaves and indices with fields that are computed for one aggregation beside those that they have.

import { BM25 } from '../../analysis/similarities.ts';
import { bytesOf } from '../../json/bytes.ts';
import type { JsonValue } from '../../json/value.ts';
import { setBit, wordsFor } from '../../kernels/bits.ts';
import type { FieldType, Key64, Mapping } from '../../mapping/types/type.ts';
import { concatStrings, sortStrings } from '../../order/keys/sort-strings.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Steps } from '../../query/steps.ts';
import type { ComputedKind } from '../../scripts/documents/value-script.ts';
import type { Column, Leaf, NumericColumn, OrdinalColumn, Terms } from '../../segment/leaf.ts';
import { nextUid } from '../../segment/segment-leaf.ts';
import { compareBytes } from '../values/global-ordinals.ts';

/** Values or documents between two yields. */
const SLICE = 4_096;
/** A document with more values ends a slice. */
const LONG_ROW = 256;

/** A field with the kind of its values, and the format of dates. */
export function computedField(path: string, kind: ComputedKind, format?: JsonValue): FieldType {
  return {
    path,
    kind,
    spec: { slot: -1, path, index: 'none', norms: false, column: kind === 'keyword' ? 'ordinal' : 'numeric' },
    params: { type: kind, ...(format === undefined ? {} : { format }) },
    searchable: false,
    hasDocValues: true,
    similarity: BM25,
    analyzer: undefined,
    searchAnalyzer: undefined,
    searchQuoteAnalyzer: undefined,
    numeric: undefined,
    bytes: undefined,
    range: undefined,
  };
}

/** A mapping with more fields. */
function withFields(mapping: Mapping, fields: ReadonlyMap<string, FieldType>): Mapping {
  return {
    field: (path) => fields.get(path) ?? mapping.field(path),
    fields: () => mapping.fields(),
    matching: (pattern) => mapping.matching(pattern),
    isObject: (path) => mapping.isObject(path),
    isNested: (path) => mapping.isNested(path),
    nestedPaths: mapping.nestedPaths,
    similarity: mapping.similarity,
    toJson: () => mapping.toJson(),
    slotCount: mapping.slotCount,
    sourceEnabled: mapping.sourceEnabled,
    sourceFilter: mapping.sourceFilter,
    routingRequired: mapping.routingRequired,
    ignored: mapping.ignored,
  };
}

/** A leaf with more columns, which may come later. */
export class ComputedLeaf implements Leaf {
  /** Its own: what is kept about values is not about these. */
  readonly uid: number = nextUid();
  readonly docCount: number;
  readonly isMini: boolean;
  readonly docs: Leaf['docs'];
  readonly deaths: Leaf['deaths'];
  readonly fields: Leaf['fields'];
  readonly columns: Map<string, Column> = new Map();
  readonly #leaf: Leaf;

  constructor(leaf: Leaf) {
    this.docCount = leaf.docCount;
    this.isMini = leaf.isMini === true;
    this.docs = leaf.docs;
    this.deaths = leaf.deaths;
    this.fields = leaf.fields;
    this.#leaf = leaf;
  }

  terms(path: string): Terms | undefined {
    return this.#leaf.terms(path);
  }

  column(path: string): Column | undefined {
    return this.columns.get(path) ?? this.#leaf.column(path);
  }

  present(path: string): Uint32Array | undefined {
    return this.columns.get(path)?.present ?? this.#leaf.present(path);
  }

  norms(path: string): Uint8Array | undefined {
    return this.#leaf.norms(path);
  }
}

/** An index with more fields, and leaves that can have their columns. */
export function withComputed(view: IndexView, fields: ReadonlyMap<string, FieldType>): IndexView {
  const leaves = view.leaves.map((each) => ({ ...each, leaf: new ComputedLeaf(each.leaf) }));
  return { ...view, mapping: withFields(view.mapping, fields), leaves };
}

/** A column of numbers. Documents ascend. */
export function* numberColumn(
  docCount: number,
  docs: readonly number[],
  values: readonly (readonly Key64[])[],
): Steps<NumericColumn> {
  const { starts, present } = yield* rowsOf(docCount, docs, values);
  const hi = new Uint32Array(starts[docCount]!);
  const lo = new Uint32Array(starts[docCount]!);
  let n = 0;
  for (const [i, keys] of values.entries()) {
    for (const key of keys.toSorted((a, b) => a.hi - b.hi || a.lo - b.lo)) {
      hi[n] = key.hi;
      lo[n++] = key.lo;
    }
    if (i % SLICE === 0 || keys.length > LONG_ROW) yield;
  }
  return { kind: 'numeric', starts, hi, lo, present };
}

/** A column of texts. Documents ascend. */
export function* textColumn(
  docCount: number,
  docs: readonly number[],
  values: readonly (readonly string[])[],
): Steps<OrdinalColumn> {
  const { places, terms } = yield* numbered(values);
  const distinct: number[][] = [];
  let seen = 0;
  for (const texts of values) {
    distinct.push([...new Set(texts)].map((text) => places.get(text)!));
    seen += texts.length + 1;
    if (seen < SLICE) continue;
    seen = 0;
    yield;
  }
  const { starts, present } = yield* rowsOf(docCount, docs, distinct);
  const ordinals = new Uint32Array(starts[docCount]!);
  let n = 0;
  for (const [i, own] of distinct.entries()) {
    for (const place of own.sort((a, b) => a - b)) ordinals[n++] = place;
    if (i % SLICE === 0 || own.length > LONG_ROW) yield;
  }
  return { kind: 'ordinal', starts, ordinals, terms: dictionary(terms), present };
}

/** The distinct texts in the order of their bytes, and the place of each. */
function* numbered(
  values: readonly (readonly string[])[],
): Steps<{ places: ReadonlyMap<string, number>; terms: readonly Uint8Array[] }> {
  const places = new Map<string, number>();
  const texts: string[] = [];
  const bytes: Uint8Array[] = [];
  let seen = 0;
  for (const row of values) {
    for (const text of row) {
      if (places.has(text)) continue;
      places.set(text, 0);
      texts.push(text);
      bytes.push(bytesOf(text));
    }
    seen += row.length + 1;
    if (seen < SLICE) continue;
    seen = 0;
    yield;
  }
  const order = yield* sortStrings(concatStrings(bytes));
  const terms: Uint8Array[] = [];
  for (const [place, i] of order.entries()) {
    places.set(texts[i]!, place);
    terms.push(bytes[i]!);
    if (place % SLICE === SLICE - 1) yield;
  }
  return { places, terms };
}

function* rowsOf(
  docCount: number,
  docs: readonly number[],
  values: readonly (readonly unknown[])[],
): Steps<{ starts: Uint32Array; present: Uint32Array }> {
  const starts = new Uint32Array(docCount + 1);
  const present = new Uint32Array(wordsFor(docCount));
  for (const [i, doc] of docs.entries()) {
    const { length } = values[i]!;
    starts[doc + 1] = length;
    if (length > 0) setBit(present, doc);
    if (i % SLICE === 0) yield;
  }
  for (let doc = 0; doc < docCount; doc++) starts[doc + 1]! += starts[doc]!;
  return { starts, present };
}

/** A dictionary without postings. REQUIRES: terms ascend. */
function dictionary(terms: readonly Uint8Array[]): Terms {
  const lowerBound = (bytes: Uint8Array): number => {
    let [low, high] = [0, terms.length];
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (compareBytes(terms[mid]!, bytes) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  };
  return {
    count: terms.length,
    sorted: true,
    stats: { docCount: 0, sumDocFreq: 0, sumTotalTermFreq: 0 },
    hasFreqs: false,
    hasPositions: false,
    indexed: false,
    find(bytes, start, end) {
      const term = bytes.subarray(start, end);
      const at = lowerBound(term);
      return at < terms.length && compareBytes(terms[at]!, term) === 0 ? at : -1;
    },
    term: (ordinal) => terms[ordinal]!,
    lowerBound,
    docFreq: () => 0,
    totalTermFreq: () => 0,
    ordinals: () => terms.keys(),
    get postings(): Terms['postings'] {
      throw new RangeError('computed values have no postings');
    },
  };
}
