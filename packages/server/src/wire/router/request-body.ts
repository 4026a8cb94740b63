// What if there is no body where one is needed?

import { EngineError } from '@octavo/engine';
import type { Call } from './route.ts';

/** Throws the peer's error for a missing body. */
export function requireBody(call: Call, what: string = 'request body is required'): void {
  if (!call.hasBody) throw new EngineError('parse_exception', what);
}
