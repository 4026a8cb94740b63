// The values of a field in the source of a document, as texts to be analyzed.

import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../parameters.ts';

/** The values of a document in a field; those of a sub-field are its parent's. O(document). */
export function sourceTexts(
  document: JsonObject,
  path: string,
  isField: (path: string) => boolean,
): string[] {
  const found: string[] = [];
  const visit = (value: JsonValue, names: readonly string[]): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, names);
    else if (names.length === 0) {
      if (value !== null && typeof value !== 'object') found.push(plainText(value));
    } else if (isObject(value)) {
      for (let n = 1; n <= names.length; n++) {
        const own = value[names.slice(0, n).join('.')];
        if (own !== undefined) visit(own, names.slice(n));
      }
    }
  };
  visit(document, path.split('.'));
  const dot = path.lastIndexOf('.');
  if (found.length === 0 && dot > 0 && isField(path.slice(0, dot)))
    return sourceTexts(document, path.slice(0, dot), isField);
  return found;
}
