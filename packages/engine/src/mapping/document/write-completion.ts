// Writes the inputs of completion fields: texts, or objects with inputs, a weight, and contexts. Contexts may be
// values of other fields of the document.

import { EngineError, illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { CompletionContext } from '../definition/completion-contexts.ts';
import { mapperParsing } from '../definition/type-params.ts';
import type { Field } from '../field.ts';
import type { DocSink } from '../field-spec.ts';
import { geohashOf } from '../geo/geo-points.ts';
import { contextBytes } from '../types/completion.ts';
import { WholeDocumentError } from './document-errors.ts';
import { geoPoints } from './geo-point.ts';

const MAX_WEIGHT = 0x7fff_ffff;
/** The peer's marks inside its terms, which an input may not have. */
const RESERVED: readonly string[] = ['\u0000', '\u001e', '\u001f'];

/** One input of a document. */
export interface CompletionInput {
  readonly inputs: readonly string[];
  readonly weight: number;
  readonly contexts: JsonObject | undefined;
}

/** Reads the value of a completion field. Errors: mapper_parsing_exception and its causes. */
export function readInputs(json: JsonValue, path: string): CompletionInput[] {
  if (json === null) return [];
  if (Array.isArray(json)) return json.flatMap((each) => readInputs(each, path));
  if (typeof json === 'string') return [{ inputs: [checked(json, path)], weight: 1, contexts: undefined }];
  if (typeof json !== 'object')
    throw new EngineError(
      'parsing_exception',
      `failed to parse [${path}]: expected text or object, but got VALUE_${typeof json === 'boolean' ? 'BOOLEAN' : 'NUMBER'}`,
    );
  return [readObject(json, path)];
}

function readObject(json: JsonObject, path: string): CompletionInput {
  let inputs: string[] = [];
  let weight = 1;
  let contexts: JsonObject | undefined;
  for (const [name, value] of Object.entries(json)) {
    if (name === 'input') inputs = inputsOf(value, path);
    else if (name === 'weight') weight = weightOf(value);
    else if (name !== 'contexts')
      throw illegalArgument(`unknown field name [${name}], must be one of [input, weight, contexts]`);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) contexts = value;
    else throw illegalArgument('contexts must be an object or an array , but was [START_ARRAY]');
  }
  return { inputs, weight, contexts };
}

function inputsOf(value: JsonValue, path: string): string[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (typeof each === 'string') return checked(each, path);
    throw illegalArgument(
      Array.isArray(value)
        ? 'input array must have string values, but was [VALUE_NUMBER]'
        : 'input must be a string or array, but was [VALUE_NUMBER]',
    );
  });
}

function checked(input: string, path: string): string {
  const reserved = RESERVED.find((each) => input.includes(each));
  if (reserved === undefined) return input;
  throw illegalArgument(
    `Illegal input [${input}] UTF-16 codepoint [0x${reserved.charCodeAt(0).toString(16)}] at position ${input.indexOf(reserved)} is a reserved character of field [${path}]`,
  );
}

function weightOf(value: JsonValue): number {
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number' && typeof value !== 'bigint')
    throw illegalArgument('weight must be a number or string, but was [START_OBJECT]');
  const weight = Number(value);
  if (isText && !/^[+-]?\d{1,18}$/.test(value))
    throw illegalArgument(`weight must be an integer, but was [${value}]`);
  if (!Number.isInteger(weight))
    throw illegalArgument(`weight must be an integer, but was [${plainText(value)}]`);
  if (weight < 0 || weight > MAX_WEIGHT)
    throw illegalArgument(`weight must be in the interval [0..2147483647], but was [${plainText(value)}]`);
  return weight;
}

/** Writes inputs. `source` is the whole document, for contexts that are values of its fields. */
export function writeCompletion(
  target: Field,
  inputs: readonly CompletionInput[],
  source: () => JsonValue,
  sink: DocSink,
): void {
  const type = target.completion!;
  for (const { inputs: texts, weight, contexts } of inputs) {
    const values = type.contexts.length === 0 ? [undefined] : contextsOf(target, contexts, source);
    if (type.contexts.length === 0 && contexts !== undefined)
      throw illegalArgument(`contexts field is not supported for field: [${target.path}]`);
    for (const text of texts)
      for (const context of values)
        for (const term of type.terms(text, weight, context)) sink.keyword(target.spec, term, 0, term.length);
    sink.present(target.spec);
  }
}

/** The contexts of one input, each as the beginning of its terms. */
function contextsOf(target: Field, given: JsonObject | undefined, source: () => JsonValue): Uint8Array[] {
  const { contexts } = target.completion!;
  for (const name of Object.keys(given ?? {})) {
    if (contexts.some((each) => each.name === name)) continue;
    throw illegalArgument(
      `Unknown context name [${name}], must be one of [${contexts.map((each) => each.name).join(', ')}]`,
    );
  }
  const found = contexts.flatMap((context, place) => {
    const own = given?.[context.name];
    const { path } = context;
    const values =
      own !== undefined
        ? valuesOf(context, own)
        : path === undefined
          ? []
          : fieldValues(source(), path.split('.')).flatMap((each) => valuesOf(context, each));
    return [...new Set(values)].map((value) => contextBytes(place, value));
  });
  if (found.length === 0)
    throw new WholeDocumentError(
      illegalArgument(`Contexts are mandatory in context enabled completion field [${target.path}]`),
    );
  return found;
}

function valuesOf(context: CompletionContext, json: JsonValue): string[] {
  if (context.type === 'geo') {
    return geoPoints(json, context.name, false).map(({ lat, lon }) => geohashOf(lat, lon, context.precision));
  }
  const list: readonly JsonValue[] = Array.isArray(json) ? json : [json];
  return list.flatMap((each): string[] => {
    if (each === null) return [];
    if (typeof each === 'object')
      throw mapperParsing('context array must have string, number or boolean values, but was [START_OBJECT]');
    return [plainText(each)];
  });
}

/** The values at a path of a document. */
function fieldValues(json: JsonValue, [name, ...rest]: readonly string[]): JsonValue[] {
  if (name === undefined) return [json];
  if (Array.isArray(json)) return json.flatMap((each) => fieldValues(each, [name, ...rest]));
  if (typeof json !== 'object' || json === null) return [];
  const own = json[name];
  const dotted = rest.length > 0 ? json[[name, ...rest].join('.')] : undefined;
  return [...(own === undefined ? [] : fieldValues(own, rest)), ...(dotted === undefined ? [] : [dotted])];
}
