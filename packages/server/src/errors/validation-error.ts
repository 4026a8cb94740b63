// The peer's error for a request that contradicts itself: all complaints at once, numbered.

import { EngineError } from '@octavo/engine';

/** Throws `action_request_validation_exception` if there are complaints. */
export function throwIfInvalid(complaints: readonly string[]): void {
  if (complaints.length > 0) throw validationError(complaints);
}

/** The error: `Validation Failed: 1: first;2: second;`. */
export function validationError(complaints: readonly string[]): EngineError {
  const list = complaints.map((complaint, i) => `${i + 1}: ${complaint};`).join('');
  return new EngineError('action_request_validation_exception', `Validation Failed: ${list}`);
}
