// What scripts of a search compute: a condition, a score, a number or text to sort by, or a value to show.

import { doubleArgument } from '../library/arguments.ts';
import { classCast } from '../script-fault.ts';
import { jsonOfValue } from '../values/json-values.ts';
import { asNumber, classOf, Double, type Value } from '../values/value.ts';
import { decayFunctions } from './decay-functions.ts';
import type { DocumentScriptContext } from './document-script.ts';

/** Whether a document matches. */
export const SCRIPT_FILTER: DocumentScriptContext<boolean> = {
  name: 'filter',
  returns: 'boolean',
  finish: (result) => {
    if (typeof result === 'boolean') return result;
    throw wrongResult(result, 'boolean');
  },
};

/** A score, or a number to sort by. */
export const SCORE: DocumentScriptContext<number> = {
  name: 'score',
  hasScore: true,
  returns: 'double',
  functions: {
    saturation: ([value, pivot]) => {
      const [v, k] = [doubleArgument(value), doubleArgument(pivot)];
      return new Double(v / (k + v));
    },
    sigmoid: ([value, pivot, exponent]) => {
      const power = doubleArgument(exponent);
      const v = doubleArgument(value) ** power;
      return new Double(v / (doubleArgument(pivot) ** power + v));
    },
    ...decayFunctions,
  },
  finish: numberOf,
};

/** A number to sort by. */
export const NUMBER_SORT: DocumentScriptContext<number> = {
  name: 'number_sort',
  hasScore: true,
  returns: 'double',
  finish: numberOf,
};

/** A text to sort by. */
export const STRING_SORT: DocumentScriptContext<string> = {
  name: 'string_sort',
  hasScore: true,
  returns: 'String',
  finish: (result) => {
    if (typeof result === 'string') return result;
    throw wrongResult(result, 'java.lang.String');
  },
};

/** How many terms a document has to have; undefined where that is not known, and no number is enough. */
export const TERMS_SET: DocumentScriptContext<number | undefined> = {
  name: 'terms_set',
  returns: 'Number',
  finish: (result) => {
    const number = asNumber(result);
    return number === undefined ? undefined : Math.trunc(number);
  },
};

/** The JSON text of a list of values to show. */
export const FIELD: DocumentScriptContext<string> = {
  name: 'field',
  finish: (result, state) => {
    const text = jsonOfValue(result, state);
    return text.startsWith('[') ? text : `[${text}]`;
  },
};

function numberOf(result: Value): number {
  const number = asNumber(result);
  if (number === undefined) throw wrongResult(result, 'double');
  return number;
}

function wrongResult(result: Value, wanted: string): Error {
  return classCast(`cannot implicitly cast def [${classOf(result)}] to ${wanted}`);
}
