// Errors about a document, in OpenSearch's words.

import { EngineError } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { lineAndColumn } from '../../json/json-fault.ts';
import { readValue } from '../../json/parse.ts';
import { NUMBER, type Scanner } from '../../json/scanner.ts';
import type { Dynamic } from '../definition/definition.ts';
import { javaValueText, mapperParsing } from '../definition/type-params.ts';
import type { Field } from '../field.ts';
import { type Scalar, scalarText } from './write-scalar.ts';

const PREVIEW = 100;

/** The sentence for a value that a field refused. */
function failedField(path: string, type: string, id: string, preview: string): string {
  const cut = preview.length > PREVIEW ? `${preview.slice(0, PREVIEW)}...` : preview;
  return `failed to parse field [${path}] of type [${type}] in document with id '${id}'. Preview of field's value: '${cut}'`;
}

/** A value as messages show it: numbers with exponents as Java prints them. */
function previewOf(value: Scalar): string {
  const text = scalarText(value);
  return value.token === NUMBER && /[eE]/.test(text) ? javaDouble(Number(text)) : text;
}

/** Names that a document cannot use for fields. */
export const META_FIELDS: ReadonlySet<string> = new Set(
  '_id _index _source _routing _type _field_names _ignored _seq_no _version _nested_path _data_stream_timestamp _doc_count _primary_term _size'.split(
    ' ',
  ),
);

/** The error for a document that uses one. */
export function metaFault(name: string, id: string, preview: string): EngineError {
  const causedBy = mapperParsing(
    `Field [${name}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
  );
  return mapperParsing(failedField(name, name, id, preview), causedBy);
}

/** The error for an object in place of a scalar. The scanner stands on its opening brace. */
export function objectFault(
  target: Field,
  scanner: Scanner,
  source: Uint8Array,
  origin: number,
  id: string,
): EngineError {
  const { line, col } = lineAndColumn(source, origin, scanner.start);
  const location = `\n at [line: ${line}, column: ${col + 1}]`;
  const cause =
    target.numeric === undefined || target.format !== undefined
      ? new EngineError('illegal_state_exception', `Can't get text on a START_OBJECT at ${line}:${col}`)
      : new EngineError(
          'json_parse_exception',
          target.kind === 'boolean'
            ? `Current token (START_OBJECT) not of boolean type${location}`
            : `Current token (START_OBJECT) not numeric, can not use numeric value accessors${location}`,
        );
  return mapperParsing(failedField(target.path, target.kind, id, javaValueText(readValue(scanner))), cause);
}

/** The error for a value that its field refused; errors of the JSON itself get line and column. */
export function valueFault(
  target: Field,
  value: Scalar,
  cause: EngineError,
  source: Uint8Array,
  origin: number,
  id: string,
): EngineError {
  let why = cause;
  const isJsonFault = cause.type === 'json_parse_exception' || cause.type === 'input_coercion_exception';
  if (isJsonFault && value.bytes === source) {
    const { line, col } = lineAndColumn(source, origin, value.stop);
    why = new EngineError(cause.type, `${cause.message}\n at [line: ${line}, column: ${col}]`);
  }
  return mapperParsing(failedField(target.path, target.kind, id, previewOf(value)), why);
}

/** The error for an unknown field where the mapping is strict. */
export function strictMappingFault(dynamic: Dynamic, name: string, parent: string): EngineError {
  return new EngineError(
    'strict_dynamic_mapping_exception',
    `mapping set to ${dynamic}, dynamic introduction of [${name}] within [${parent === '' ? '_doc' : parent}] is not allowed`,
  );
}

/** Wraps an error of the whole document that is reported unchanged. */
export class WholeDocumentError extends Error {
  readonly error: EngineError;

  constructor(error: EngineError) {
    super(error.message);
    this.error = error;
  }
}

/** Whether the first byte that is no white space opens an object. */
export function opensObject(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9)) at++;
  return at < end && bytes[at] === 123;
}

/** The error for a document that is not a JSON object. */
export function notAnObject(): EngineError {
  return new EngineError(
    'not_x_content_exception',
    'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes',
  );
}

/** Whether an error is the document's fault, rather than a lack of memory. */
export function isDocumentFault(error: unknown): error is EngineError {
  return error instanceof EngineError && error.type !== 'circuit_breaking_exception';
}

/**
 * The error to report: mapping errors and conflicts unchanged, everything else wrapped in `failed to parse`.
 */
export function documentFailure(error: unknown): unknown {
  if (error instanceof WholeDocumentError) return error.error;
  if (!isDocumentFault(error)) return error;
  if (error.type === 'mapper_parsing_exception' || error.type === 'strict_dynamic_mapping_exception')
    return error;
  if (
    error.type === 'illegal_argument_exception' &&
    /^(?:Limit of|mapper \[|can't merge)/.test(error.message)
  )
    return error;
  return mapperParsing('failed to parse', error);
}
