// The peer's error for a member that an object does not have, with its place in the body.

import { attachPlace, EngineError } from '@octavo/engine';

/** `[parser] unknown field [key]`, placed at the key of `holder`. */
export function unknownField(parser: string, holder: object, key: string): EngineError {
  const error = new EngineError('x_content_parse_exception', `[${parser}] unknown field [${key}]`);
  return attachPlace(error, { holder, key, at: 'key' });
}
