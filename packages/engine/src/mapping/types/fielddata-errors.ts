// Errors for fields whose values cannot be read by document, in the peer's words.

import { type EngineError, illegalArgument } from '../../errors.ts';
import { isFeature } from './features.ts';
import type { FieldKind } from './type.ts';

/** The error for reading a text field's values by document. */
export function textFielddata(path: string): EngineError {
  return illegalArgument(
    'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, ' +
      `so these operations are disabled. Please use a keyword field instead of [${path}]; [fielddata] changes nothing here.`,
  );
}

/** The error for a field without doc values. */
export function noFielddata(path: string, kind: FieldKind): EngineError {
  if (isFeature(kind))
    return illegalArgument(`[${kind}] fields do not support sorting, scripting or aggregating`);
  return illegalArgument(
    `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${kind}]. Use doc values instead.`,
  );
}
