// A mistake in a script, and how it is told: the peer's `script_exception` with the line of the mistake, a pointer to
// it and the cause.

import { EngineError, type ErrorDetails, type ErrorType } from '../errors.ts';

/** Characters shown on both sides of a mistake that is found before the script runs. */
const SNIPPET = 25;

/** A mistake at an offset of the source; -1 until the statement that runs is known. */
export class ScriptFault extends Error {
  readonly type: ErrorType;
  offset: number;

  constructor(type: ErrorType, reason: string, offset = -1) {
    super(reason);
    this.type = type;
    this.offset = offset;
  }
}

/**
 * What was thrown while a script was compiled or ran, as its mistake; rethrows what is none. A script may be too deep for the stack
 * (`1+1+1…` is one level for each operator), or make a text or list that is too long for JavaScript: both are RangeErrors.
 */
export function asFault(thrown: unknown): ScriptFault {
  if (thrown instanceof ScriptFault) return thrown;
  if (thrown instanceof RangeError)
    return new ScriptFault(
      'painless_error',
      'The script has too many levels, or takes more memory than the limit allows.',
    );
  // Parameters of searches are frozen: JavaScript itself refuses what would change a list.
  if (thrown instanceof TypeError && /not extensible|read only|Cannot delete/.test(thrown.message))
    return new ScriptFault('unsupported_operation_exception', 'the list cannot be changed');
  throw thrown;
}

/** Throws where a value has the wrong type. */
export function classCast(reason: string): ScriptFault {
  return new ScriptFault('class_cast_exception', reason);
}

/** Throws where an argument has the wrong value. */
export function illegal(reason: string): ScriptFault {
  return new ScriptFault('illegal_argument_exception', reason);
}

/** What is known of a script when it fails. */
export interface FailedScript {
  readonly source: string;
  /** Offsets of its statements, ascending. */
  readonly statements: readonly number[];
}

/** The error of a script that does not compile. */
export function compileError(source: string, fault: ScriptFault): EngineError {
  const offset = Math.max(0, fault.offset);
  const [start, end] = [Math.max(0, offset - SNIPPET), Math.min(source.length, offset + SNIPPET)];
  const before = start > 0 ? '... ' : '';
  const line = `${before}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`;
  const stack = [line, `${' '.repeat(before.length + offset - start)}^---- HERE`];
  return scriptError('compile error', source, stack, { offset, start, end }, fault);
}

/** The error of a script that fails while it runs: the line is the statement. */
export function runtimeError({ source, statements }: FailedScript, fault: ScriptFault): EngineError {
  const offset = Math.max(0, fault.offset);
  const start = statements.findLast((at) => at <= offset) ?? 0;
  const end = statements.find((at) => at > offset) ?? source.length;
  const stack = [source.slice(start, end), `${' '.repeat(offset - start)}^---- HERE`];
  return scriptError('runtime error', source, stack, { offset, start, end }, fault);
}

function scriptError(
  reason: string,
  script: string,
  stack: string[],
  position: ErrorDetails,
  fault: ScriptFault,
): EngineError {
  return new EngineError('script_exception', reason, {
    details: { script_stack: stack, script, lang: 'painless', position },
    causedBy: new EngineError(fault.type, fault.message),
  });
}
