// The values of one field of the document that a script runs on: `doc['price']` (ScriptDocValues of the peer).

import { javaDouble } from '../../json/java-double.ts';
import { hasBit } from '../../kernels/bits.ts';
import { arcDistance, planeDistance } from '../../mapping/geo/geo-distance.ts';
import { type GeoPoint, latOf, lonOf } from '../../mapping/geo/geo-points.ts';
import { noFielddata, textFielddata } from '../../mapping/types/fielddata-errors.ts';
import type { FieldKind, FieldType } from '../../mapping/types/type.ts';
import type { Column, Leaf, NumericColumn, OrdinalColumn } from '../../segment/leaf.ts';
import { doubleArgument } from '../library/arguments.ts';
import { ScriptDate } from '../library/dates.ts';
import { callMethod } from '../library/library.ts';
import { ScriptFault } from '../script-fault.ts';
import { Double, type List, type Run, ScriptObject, textOf, type Value } from '../values/value.ts';

/** The document that a script runs on. */
export interface CurrentDocument {
  doc: number;
}

/** The values of a field, ascending. They change with the current document. */
export class FieldValues extends ScriptObject {
  override readonly isCollection = true;
  readonly className: string;
  readonly #column: Column | undefined;
  readonly #current: CurrentDocument;
  readonly #read: (at: number) => Value;

  /** Throws a ScriptFault for fields without values by document. */
  constructor(field: FieldType, leaf: Leaf, current: CurrentDocument) {
    super();
    this.#column = leaf.column(field.path);
    this.#current = current;
    const { name, read } = readerOf(field, this.#column);
    this.className = `org.opensearch.index.fielddata.ScriptDocValues.${name}`;
    this.#read = read;
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    if (args.length === 0) {
      if (name === 'getValue') return this.#value(0);
      if (name === 'size' || name === 'getLength') return this.#count;
      if (name === 'isEmpty') return this.#count === 0;
      const first = this.className.endsWith('GeoPoints') ? this.#value(0) : undefined;
      if (first instanceof ScriptPoint) return first.call(name, args);
    }
    if (name === 'get' && args.length === 1 && typeof args[0] === 'number') return this.#value(args[0]);
    if (name.endsWith('Distance') && this.className.endsWith('GeoPoints'))
      return (this.#value(0) as ScriptPoint).distance(name, args);
    const items = this.items(run);
    return name === 'asList' && args.length === 0 ? items : callMethod(items, name, args, run);
  }

  override items(run?: Run): List {
    const start = this.#start;
    run?.allocate(this.#count);
    run?.spend(4 * this.#count);
    return Array.from({ length: this.#count }, (_, i) => this.#read(start + i));
  }

  override text(run: Run): string {
    return textOf(this.items(run), run);
  }

  get #start(): number {
    const { doc } = this.#current;
    return this.#column?.starts?.[doc] ?? doc;
  }

  get #count(): number {
    const column = this.#column;
    const { doc } = this.#current;
    if (column === undefined || !hasBit(column.present, doc)) return 0;
    return column.starts === undefined ? 1 : column.starts[doc + 1]! - column.starts[doc]!;
  }

  #value(at: number): Value {
    const count = this.#count;
    if (count === 0)
      throw new ScriptFault(
        'illegal_state_exception',
        "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
      );
    if (at < 0 || at >= count)
      throw new ScriptFault('index_out_of_bounds_exception', `Index ${at} out of bounds for length ${count}`);
    return this.#read(this.#start + at);
  }
}

/** A point of a field. */
export class ScriptPoint extends ScriptObject {
  readonly className = 'org.opensearch.common.geo.GeoPoint';
  readonly #lat: number;
  readonly #lon: number;

  constructor(lat: number, lon: number) {
    super();
    this.#lat = lat;
    this.#lon = lon;
  }

  override call(name: string, args: readonly Value[]): Value | undefined {
    if (args.length > 0) return undefined;
    if (name === 'getLat') return new Double(this.#lat);
    return name === 'getLon' ? new Double(this.#lon) : undefined;
  }

  metersTo(other: GeoPoint): number {
    return arcDistance(other, this.#lat, this.#lon);
  }

  /** A method that measures the way to another point. */
  distance(name: string, args: readonly Value[]): Value | undefined {
    if (args.length !== 2) return undefined;
    const other = { lat: doubleArgument(args[0]), lon: doubleArgument(args[1]) };
    if (name === 'arcDistance') return new Double(this.metersTo(other));
    return name === 'planeDistance' ? new Double(planeDistance(other, this.#lat, this.#lon)) : undefined;
  }

  override text(): string {
    return `${this.#lat}, ${this.#lon}`;
  }

  override json(): string {
    return `{"lat":${javaDouble(this.#lat)},"lon":${javaDouble(this.#lon)}}`;
  }
}

/** The id of the document, as a list of one text. */
export class IdValue extends ScriptObject {
  override readonly isCollection = true;
  readonly className = 'org.opensearch.index.fielddata.ScriptDocValues.Strings';
  readonly #leaf: Leaf;
  readonly #current: CurrentDocument;

  constructor(leaf: Leaf, current: CurrentDocument) {
    super();
    this.#leaf = leaf;
    this.#current = current;
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    const items = this.items();
    return name === 'getValue' && args.length === 0 ? items[0] : callMethod(items, name, args, run);
  }

  override items(): List {
    return [this.#leaf.docs.id(this.#current.doc)];
  }

  override text(): string {
    return `[${this.items().join()}]`;
  }
}

interface Reader {
  /** The peer's name of the list. */
  readonly name: string;
  readonly read: (at: number) => Value;
}

const DOUBLES: ReadonlySet<FieldKind> = new Set<FieldKind>(['double', 'float', 'half_float', 'scaled_float']);

/** How values are read. Places in the column are valid, so that no reader is asked where there is no column. */
function readerOf(field: FieldType, column: Column | undefined): Reader {
  const { kind, path } = field;
  if (kind === 'text' || kind === 'match_only_text') throw faultOf(textFielddata(path).message);
  if (!field.hasDocValues || field.range !== undefined) throw faultOf(noFielddata(path, kind).message);
  const numeric = column as NumericColumn;
  if (kind === 'geo_point')
    return {
      name: 'GeoPoints',
      read: (at) => new ScriptPoint(latOf(numeric.hi[at]!), lonOf(numeric.lo[at]!)),
    };
  if (field.numeric !== undefined) {
    const { decode } = field.numeric;
    const number = (at: number): number | bigint => decode(numeric.hi[at]!, numeric.lo[at]!);
    if (DOUBLES.has(kind)) return { name: 'Doubles', read: (at) => new Double(Number(number(at))) };
    if (kind === 'boolean') return { name: 'Booleans', read: (at) => Number(number(at)) !== 0 };
    if (kind === 'date') return { name: 'Dates', read: (at) => new ScriptDate(Number(number(at))) };
    if (kind === 'date_nanos') return { name: 'Dates', read: (at) => nanosDate(BigInt(number(at))) };
    return { name: kind === 'unsigned_long' ? 'UnsignedLongs' : 'Longs', read: (at) => BigInt(number(at)) };
  }
  if (field.bytes === undefined) throw faultOf(noFielddata(path, kind).message);
  const { terms, ordinals } = (column ?? {}) as OrdinalColumn;
  const { bytes } = field;
  return { name: 'Strings', read: (at) => bytes.decode(terms.term(ordinals[at]!)) };
}

function nanosDate(nanos: bigint): ScriptDate {
  const millis = nanos / 1_000_000n - (nanos % 1_000_000n < 0n ? 1n : 0n);
  return new ScriptDate(Number(millis), Number(nanos - millis * 1_000_000n));
}

function faultOf(message: string): ScriptFault {
  return new ScriptFault('illegal_argument_exception', message);
}
