// Reads `rescore`: one rescorer, or a list of them.

import {
  EngineError,
  illegalArgument,
  integerMember,
  isObject,
  type JsonObject,
  type JsonValue,
  numberMember,
  type Rescore,
  unknownKey,
} from '@octavo/engine';
import { firstTokenName } from '../../../json/json-body.ts';

/** Hits that are scored again where `window_size` is absent. */
const DEFAULT_WINDOW = 10;
const MAX_RESCORERS = 64;

/** Reads the value of `rescore`. */
export function readRescore(value: JsonValue): readonly Rescore[] {
  if (Array.isArray(value)) {
    if (value.length > MAX_RESCORERS) {
      throw illegalArgument(`[rescore] holds ${value.length} rescorers, more than ${MAX_RESCORERS}`);
    }
    return value.map(readOne);
  }
  if (!isObject(value)) throw unknownKey('rescore', value);
  return [readOne(value)];
}

function readOne(value: JsonValue): Rescore {
  if (!isObject(value)) throw unknownKey('rescore', value);
  let windowSize = DEFAULT_WINDOW;
  let query: Omit<Rescore, 'windowSize'> | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'window_size') windowSize = integerMember(name, member);
    else if (!isObject(member)) throw parsing(`rescore doesn't support [${name}]`);
    else if (name === 'query') query = readQuery(member);
    else throw new EngineError('named_object_not_found_exception', `unknown field [${name}]`);
  }
  if (query === undefined) throw parsing('missing rescore type');
  if (windowSize < 0) throw illegalArgument(`[window_size] must not be negative, found [${windowSize}]`);
  return { windowSize, ...query };
}

function readQuery(body: JsonObject): Omit<Rescore, 'windowSize'> {
  let query: JsonObject | undefined;
  let queryWeight = 1;
  let rescoreQueryWeight = 1;
  let scoreMode: Rescore['scoreMode'] = 'total';
  for (const [name, value] of Object.entries(body)) {
    switch (name) {
      case 'rescore_query':
        if (!isObject(value)) {
          throw content(`[query] rescore_query doesn't support values of type: ${firstTokenName(value)}`);
        }
        query = value;
        break;
      case 'query_weight':
        queryWeight = Math.fround(numberMember(name, value));
        break;
      case 'rescore_query_weight':
        rescoreQueryWeight = Math.fround(numberMember(name, value));
        break;
      case 'score_mode':
        scoreMode = readMode(value);
        break;
      default:
        throw content(`[query] unknown field [${name}]`);
    }
  }
  if (query === undefined) throw illegalArgument('rescore_query cannot be null');
  return { query, queryWeight, rescoreQueryWeight, scoreMode };
}

function readMode(value: JsonValue): Rescore['scoreMode'] {
  if (typeof value !== 'string')
    throw content(`[query] score_mode doesn't support values of type: ${firstTokenName(value)}`);
  const mode = value.toLowerCase();
  switch (mode) {
    case 'total':
    case 'multiply':
    case 'avg':
    case 'max':
    case 'min':
      return mode;
  }
  throw new EngineError('x_content_parse_exception', '[query] failed to parse field [score_mode]', {
    causedBy: illegalArgument(`illegal score_mode [${value}]`),
  });
}

function parsing(reason: string): EngineError {
  return new EngineError('parsing_exception', reason);
}

function content(reason: string): EngineError {
  return new EngineError('x_content_parse_exception', reason);
}
