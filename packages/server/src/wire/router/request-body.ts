// Reads bodies that an endpoint requires, or that must be an object. The peer reads the bodies of indices,
// settings, mappings and templates as maps, which have errors of their own.

import { EngineError, type JsonObject } from '@octavo/engine';
import type { Call } from './route.ts';

/** Throws the peer's error for a missing body. */
export function requireBody(call: Call, what: string = 'request body is required'): void {
  if (!call.hasBody) throw new EngineError('parse_exception', what);
}

/** The body as an object; `{}` if there is none. Throws parse_exception or not_x_content_exception. */
export function readMapBody(call: Call): JsonObject {
  if (!beginsWithBrace(call.body)) {
    throw new EngineError(
      'not_x_content_exception',
      'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes',
    );
  }
  try {
    return call.object();
  } catch (thrown) {
    if (!(thrown instanceof EngineError) || thrown.type === 'content_too_long_exception') throw thrown;
    throw new EngineError('parse_exception', 'Failed to parse content to map', { causedBy: thrown });
  }
}

/** As readMapBody, for an endpoint that requires a body. */
export function requireMapBody(call: Call): JsonObject {
  if (!call.hasBody) throw new EngineError('parse_exception', 'request body is required');
  return readMapBody(call);
}

/** True for an object, and for a body of white space only. */
function beginsWithBrace(body: Uint8Array): boolean {
  let at = 0;
  while (at < body.length && body[at]! <= 32) at++;
  return at === body.length || body[at] === 0x7b;
}
