// Writes features: the number of a rank_feature, and the object of a rank_features by its names. A document, or a nested
// object within it, has one value of each.

import { EngineError, illegalArgument } from '../../errors.ts';
import {
  ARRAY_START,
  FALSE,
  KEY,
  NULL,
  OBJECT_START,
  type Scanner,
  STRING,
  TRUE,
} from '../../json/scanner.ts';
import type { Field } from '../field.ts';
import type { DocSink } from '../field-spec.ts';
import { featurePrefix, featureTerm } from '../types/features.ts';
import { floatOf } from '../types/floats.ts';
import { numberFault } from '../types/integers.ts';
import { MAX_TERM } from '../types/keywords.ts';
import { nearestFloat } from '../types/nearest-float.ts';
import { WholeDocumentError } from './document-errors.ts';
import { readScalar } from './write-composites.ts';
import { immenseTermFault, newScalar, type Scalar, scalarText, tokenName } from './write-scalar.ts';

/** The value of a rank_feature. `seen` has the features that the document has already. */
export function writeFeature(target: Field, value: Scalar, sink: DocSink, seen: Set<string>): void {
  const number = readNumber(value);
  if (seen.has(target.path)) throw repeated(target, `the same field [${target.path}]`);
  put(target, '', number, sink);
  seen.add(target.path);
}

/** The features of a rank_features. The scanner stands on the first token of the value. */
export function writeFeatures(target: Field, scanner: Scanner, sink: DocSink, seen: Set<string>): void {
  if (scanner.token !== OBJECT_START) {
    throw illegalArgument(
      `[rank_features] fields must be json objects, expected a START_OBJECT but got: ${plainToken(scanner)}`,
    );
  }
  const value = newScalar();
  while (scanner.next() === KEY) {
    const name = scanner.keys.text(scanner.key);
    const token = scanner.next();
    if (token === NULL) continue;
    if (token === OBJECT_START || token === ARRAY_START || token === TRUE || token === FALSE) {
      throw illegalArgument(
        `[rank_features] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${plainToken(scanner)}`,
      );
    }
    const key = `${target.path}.${name}`;
    const number = readNumber(readScalar(scanner, value));
    if (seen.has(key)) throw repeated(target, `the same rank feature [${key}]`);
    put(target, name, number, sink);
    seen.add(key);
  }
}

function repeated({ kind }: Field, what: string): EngineError {
  return illegalArgument(
    `[${kind}] fields do not support indexing multiple values for ${what} in the same document`,
  );
}

function plainToken({ token, integer }: Scanner): string {
  if (token === ARRAY_START) return 'START_ARRAY';
  return tokenName({ token, integer })
    .replace(/(NUMBER)_.*/, '$1')
    .replace(/TRUE|FALSE/, 'BOOLEAN');
}

function readNumber(value: Scalar): number {
  if (value.token === TRUE || value.token === FALSE) {
    throw new EngineError(
      'json_parse_exception',
      `Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`,
    );
  }
  const text = scalarText(value);
  if (value.token === STRING && text === '') throw new EngineError('number_format_exception', 'empty String');
  const number = floatOf(text);
  if (number === undefined) throw numberFault(text);
  return nearestFloat(text.trim(), number);
}

function put({ kind, path, params, spec }: Field, name: string, number: number, sink: DocSink): void {
  const value = params['positive_score_impact'] === false ? 1 / number : number;
  const shownAs = kind === 'rank_feature' ? `${path} on field _feature` : `${name} on field ${path}`;
  const term = featureTerm(featurePrefix(kind, name), value, shownAs);
  if (term.length > MAX_TERM) throw new WholeDocumentError(immenseTermFault(path, term, 0, term.length));
  sink.keyword(spec, term, 0, term.length);
}
