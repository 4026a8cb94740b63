// Writes one JSON scalar as terms or a key of a field, straight from the bytes. One writer per family of
// types.

import { EngineError, illegalArgument } from '../../errors.ts';
import { asciiText, bytesOf, utf8Text } from '../../json/bytes.ts';
import { javaDouble } from '../../json/java-double.ts';
import { plainText } from '../../json/java-text.ts';
import { FALSE, NULL, NUMBER, STRING, TRUE } from '../../json/scanner.ts';
import { dateFault } from '../dates/date-format.ts';
import type { Instant } from '../dates/pattern.ts';
import { UTC } from '../dates/zone.ts';
import type { Field } from '../field.ts';
import type { DocSink } from '../field-spec.ts';
import { checkNanos, dateLong } from '../types/dates.ts';
import { type FloatName, floatOf, ROUND } from '../types/floats.ts';
import { decimalOf, INTEGERS, type IntegerKind, numberFault } from '../types/integers.ts';
import { parseIp } from '../types/ip.ts';
import { MAX_TERM, normalize } from '../types/keywords.ts';
import { nearestFloat } from '../types/nearest-float.ts';
import { shortestFloat } from '../types/shortest-float.ts';
import { longKey, unsignedKey } from '../types/sortable-key.ts';

/** A scalar of a document: its bytes without quotes and escapes, and what kind of token it was. */
export interface Scalar {
  token: number;
  bytes: Uint8Array;
  start: number;
  stop: number;
  ascii: boolean;
  integer: boolean;
}

/** An empty scalar, to be filled. */
export function newScalar(): Scalar {
  return { token: 0, bytes: new Uint8Array(0), start: 0, stop: 0, ascii: true, integer: false };
}

/** Text of a scalar. */
export function scalarText(value: Scalar): string {
  return value.ascii
    ? asciiText(value.bytes, value.start, value.stop)
    : utf8Text(value.bytes, value.start, value.stop);
}

/** Names of tokens, as OpenSearch's parser calls them. */
export function tokenName(value: { token: number; integer: boolean }): string {
  switch (value.token) {
    case STRING:
      return 'VALUE_STRING';
    case NUMBER:
      return value.integer ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT';
    case TRUE:
      return 'VALUE_TRUE';
    case FALSE:
      return 'VALUE_FALSE';
    case NULL:
      return 'VALUE_NULL';
    default:
      return 'START_OBJECT';
  }
}

const f64 = new Float64Array(1);
const u32 = new Uint32Array(f64.buffer);

/** Emits a double without creating a key object. */
function emitDouble(sink: DocSink, field: Field, value: number): void {
  f64[0] = value;
  const lo = u32[0]!;
  const hi = u32[1]!;
  if (hi >>> 31) sink.numeric(field.spec, ~hi >>> 0, ~lo >>> 0);
  else sink.numeric(field.spec, (hi | 0x80000000) >>> 0, lo);
}

/** Emits a whole number that a double holds. */
function emitLong(sink: DocSink, field: Field, value: number): void {
  sink.numeric(field.spec, (Math.floor(value / 4294967296) ^ 0x80000000) >>> 0, value >>> 0);
}

/** The value of up to 15 plain digits with an optional minus, or NaN. */
function shortInteger(value: Scalar): number {
  const { bytes, stop } = value;
  let at = value.start;
  const negative = bytes[at] === 45;
  if (negative) at++;
  if (at >= stop || stop - at > 15) return Number.NaN;
  let number = 0;
  for (; at < stop; at++) {
    const digit = bytes[at]! - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return negative ? -number : number;
}

/** Writes a value of a whole-number field. An empty string is no value when the field coerces. */
function writeInteger(sink: DocSink, field: Field, value: Scalar): void {
  const kind = field.kind === 'token_count' ? INTEGERS.integer : INTEGERS[field.kind as IntegerKind['name']];
  if (value.token === TRUE || value.token === FALSE) throw notNumeric(value);
  if (value.token === NUMBER || field.coerce) {
    const short = shortInteger(value);
    if (short >= Number(kind.min) && short <= Number(kind.max)) {
      if (kind.name === 'unsigned_long')
        sink.numeric(field.spec, Math.floor(short / 4294967296), short >>> 0);
      else emitLong(sink, field, short);
      return;
    }
  }
  const text = scalarText(value);
  if (value.token === STRING) {
    if (text === '' && field.coerce) {
      writeNull(sink, field);
      return;
    }
    if (!field.coerce) throw illegalArgument(`${typeWord(kind)} value passed as String`);
  }
  const decimal = decimalOf(text);
  if (decimal === undefined) {
    if (kind.name === 'long' || kind.name === 'unsigned_long')
      throw illegalArgument(`For input string: "${text}"`);
    throw numberFault(text);
  }
  if (decimal.whole < kind.min || decimal.whole > kind.max) {
    const wide = kind.name === 'long' ? INTEGERS.long : INTEGERS.integer;
    if (
      value.token === NUMBER &&
      kind.name !== 'unsigned_long' &&
      (decimal.whole < wide.min || decimal.whole > wide.max)
    ) {
      const name = wide === INTEGERS.long ? 'long' : 'int';
      throw new EngineError(
        'input_coercion_exception',
        `Numeric value (${text}) out of range of ${name} (${wide.min} - ${wide.max})`,
      );
    }
    throw illegalArgument(`Value [${text}] is out of range for ${kind.label}`);
  }
  if (decimal.fraction && !field.coerce)
    throw illegalArgument(`${text} cannot be converted to ${typeWord(kind)} without data loss`);
  const key = kind.name === 'unsigned_long' ? unsignedKey(decimal.whole) : longKey(decimal.whole);
  sink.numeric(field.spec, key.hi, key.lo);
}

function typeWord(kind: IntegerKind): string {
  return { long: 'Long', integer: 'Integer', short: 'Short', byte: 'Byte', unsigned_long: 'Unsigned long' }[
    kind.name
  ];
}

function notNumeric(value: Scalar): EngineError {
  return new EngineError(
    'json_parse_exception',
    `Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`,
  );
}

/** Writes a value of a double, float, half_float or scaled_float field. */
function writeFloat(sink: DocSink, field: Field, value: Scalar): void {
  if (value.token === TRUE || value.token === FALSE) throw notNumeric(value);
  const isSingle = field.kind === 'float' || field.kind === 'half_float';
  let number = value.token === NUMBER ? shortInteger(value) : Number.NaN;
  if (Number.isNaN(number)) {
    const text = scalarText(value);
    if (value.token === STRING) {
      if (text === '' && field.coerce) {
        writeNull(sink, field);
        return;
      }
      if (!field.coerce)
        throw illegalArgument(
          `${field.kind === 'scaled_float' ? 'Double' : javaFloat(field)} value passed as String`,
        );
    }
    const read = value.token === NUMBER ? Number(text) : floatOf(text);
    if (read === undefined) throw numberFault(text);
    number = isSingle ? nearestFloat(text.trim(), read) : read;
  } else if (number === 0 && value.bytes[value.start] === 45) number = -0;
  if (field.kind === 'scaled_float') {
    const scaled = number * field.factor;
    if (!Number.isFinite(scaled))
      throw illegalArgument(`[scaled_float] only supports finite values, but got [${number}]`);
    const limited = Math.max(-(2 ** 63), Math.min(2 ** 63 - 1024, Math.floor(scaled + 0.5)));
    if (Number.isSafeInteger(limited)) {
      emitLong(sink, field, limited);
      return;
    }
    const key = longKey(BigInt(limited));
    sink.numeric(field.spec, key.hi, key.lo);
    return;
  }
  const rounded = ROUND[field.kind as FloatName](number);
  if (!Number.isFinite(rounded)) {
    throw illegalArgument(
      `[${field.kind}] supports only finite values, but got [${field.kind === 'half_float' ? javaDouble(shortestFloat(Math.fround(number))) : rounded}]`,
    );
  }
  emitDouble(sink, field, rounded);
}

function javaFloat(field: Field): string {
  return field.kind === 'double' ? 'Double' : 'Float';
}

/** Writes a boolean: JSON's own, or the texts true, false and ''. */
function writeBoolean(sink: DocSink, field: Field, value: Scalar): void {
  let truth: boolean;
  if (value.token === TRUE) truth = true;
  else if (value.token === FALSE) truth = false;
  else if (value.token === STRING) {
    const text = scalarText(value);
    if (text !== 'true' && text !== 'false' && text !== '') {
      throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
    }
    truth = text === 'true';
  } else
    throw new EngineError('json_parse_exception', `Current token (${tokenName(value)}) not of boolean type`);
  sink.numeric(field.spec, 0x80000000, truth ? 1 : 0);
}

/** Writes a date by the field's formats. */
function writeDate(sink: DocSink, field: Field, value: Scalar): void {
  const format = field.format!;
  const text = scalarText(value);
  const at = format.read(text, UTC, false);
  if (at === undefined) throw dateFault(text, format.text);
  if (field.kind === 'date') {
    emitLong(sink, field, at.ms);
    return;
  }
  checkNanos(at, shownInstant(at));
  const key = longKey(dateLong(at, true));
  sink.numeric(field.spec, key.hi, key.lo);
}

/** An instant as Java prints it: no fraction, or three, six or nine digits of it. */
function shownInstant(at: Instant): string {
  const whole = new Date(at.ms).toISOString();
  const micros = String(at.nanos).padStart(6, '0');
  if (at.nanos !== 0) return `${whole.slice(0, -1)}${micros.endsWith('000') ? micros.slice(0, 3) : micros}Z`;
  return whole.endsWith('.000Z') ? `${whole.slice(0, -5)}Z` : whole;
}

/** Writes an address as 16 bytes. */
function writeIp(sink: DocSink, field: Field, value: Scalar): void {
  const text = scalarText(value);
  if (text === '' && value.token === STRING) {
    writeNull(sink, field);
    return;
  }
  const bytes = parseIp(text);
  if (bytes === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`);
  writeKeywordBytes(sink, field, bytes, 0, 16);
}

/** Writes a keyword; false when it is longer than ignore_above (in UTF-16 units) and was left out. */
function writeKeyword(sink: DocSink, field: Field, value: Scalar): boolean {
  const { bytes, start, stop } = value;
  if (stop - start > field.ignoreAbove) {
    if (value.ascii || scalarText(value).length > field.ignoreAbove) return false;
  }
  if (field.normalizer === undefined) writeKeywordBytes(sink, field, bytes, start, stop);
  else {
    const normal = bytesOf(normalize(field.normalizer, scalarText(value)));
    writeKeywordBytes(sink, field, normal, 0, normal.length);
  }
  return true;
}

function writeKeywordBytes(
  sink: DocSink,
  field: Field,
  bytes: Uint8Array,
  start: number,
  stop: number,
): void {
  const { spec } = field;
  if (spec.index === 'none' && spec.column === 'none') {
    sink.present(spec);
    return;
  }
  if (stop - start > MAX_TERM) throw immenseTermFault(field.path, bytes, start, stop);
  sink.keyword(spec, bytes, start, stop);
}

/** The error for a term that is too long to store. */
export function immenseTermFault(path: string, bytes: Uint8Array, start: number, stop: number): EngineError {
  const head = Array.from(bytes.subarray(start, start + 30)).join(', ');
  return illegalArgument(
    `Document contains at least one immense term in field="${path}" (whose UTF8 encoding is longer than the max length ${MAX_TERM}), ` +
      `all of which were skipped.  Please correct the analyzer to not produce such terms.  ` +
      `The prefix of the first immense term is: '[${head}]...', original message: bytes can be at most ${MAX_TERM} in length; got ${stop - start}`,
  );
}

/** Writes the field's null value, if it has one. */
function writeNull(sink: DocSink, field: Field): void {
  const scalar = nullScalar(field);
  if (scalar !== undefined && scalar.stop > scalar.start) writeScalar(sink, field, scalar);
}

/** The field's null value as a scalar. */
export function nullScalar(field: Field): Scalar | undefined {
  const bytes = field.nullValue;
  return bytes === undefined
    ? undefined
    : { token: STRING, bytes, start: 0, stop: bytes.length, ascii: false, integer: false };
}

/** Writes a value of any kind but text and flat_object; false when it was left out as too long. */
export function writeScalar(sink: DocSink, field: Field, value: Scalar): boolean {
  switch (field.kind) {
    case 'keyword':
    case 'wildcard':
      return writeKeyword(sink, field, value);
    case 'long':
    case 'integer':
    case 'token_count':
    case 'short':
    case 'byte':
    case 'unsigned_long':
      if (field.spec.column === 'none') validateOnly(sink, field, value, writeInteger);
      else writeInteger(sink, field, value);
      return true;
    case 'double':
    case 'float':
    case 'half_float':
    case 'scaled_float':
      if (field.spec.column === 'none') validateOnly(sink, field, value, writeFloat);
      else writeFloat(sink, field, value);
      return true;
    case 'boolean':
      if (field.spec.column === 'none') validateOnly(sink, field, value, writeBoolean);
      else writeBoolean(sink, field, value);
      return true;
    case 'date':
    case 'date_nanos':
      if (field.spec.column === 'none') validateOnly(sink, field, value, writeDate);
      else writeDate(sink, field, value);
      return true;
    case 'ip':
      writeIp(sink, field, value);
      return true;
    case 'constant_keyword': {
      const expected = plainText(field.params['value']);
      if (scalarText(value) !== expected)
        throw illegalArgument(`constant keyword field [${field.path}] must have a value of [${expected}]`);
      sink.present(field.spec);
      return true;
    }
    default:
      sink.present(field.spec);
      return true;
  }
}

const NULL_SINK: DocSink = { term() {}, keyword() {}, numeric() {}, present() {} };

/** Validates a value of a field that stores none. */
function validateOnly(
  sink: DocSink,
  field: Field,
  value: Scalar,
  write: (sink: DocSink, field: Field, value: Scalar) => void,
): void {
  write(NULL_SINK, field, value);
  sink.present(field.spec);
}
