// Compiles statements into closures, which answer how the statement ended. Each statement pays for its steps.

import type { ScriptBlock, Statement } from '../language/syntax.ts';
import type { TypeName } from '../language/types.ts';
import { truth } from '../library/arguments.ts';
import { thrown } from '../library/library.ts';
import type { RunState } from '../run-state.ts';
import { ScriptFault } from '../script-fault.ts';
import { nullPointer } from '../values/arithmetic.ts';
import { cast, initialValue } from '../values/casts.ts';
import { classOf, type List, ScriptObject, type Value, ValueSet } from '../values/value.ts';
import {
  assigned,
  type CompileContext,
  compileExpression,
  condition,
  type Functions,
} from './compile-expression.ts';
import { Scope } from './scope.ts';

/** How a statement ended. */
const NEXT = 0;
const BREAK = 1;
const CONTINUE = 2;
const RETURN = 3;
type End = typeof NEXT | typeof BREAK | typeof CONTINUE | typeof RETURN;
type Step = (state: RunState) => End;

/** A compiled script. */
export interface CompiledScript {
  readonly slots: number;
  readonly run: (state: RunState) => Value;
}

/** Compiles a script for a context of named values and functions. Throws a ScriptFault. */
export function compileScript(
  body: ScriptBlock,
  globals: readonly string[],
  functions: Functions,
  returns?: TypeName,
): CompiledScript {
  const scope = new Scope(globals);
  const context: CompileContext = {
    scope,
    functions,
    returns,
    block: (inner) => {
      const run = block(inner, { ...context, returns: undefined }, false);
      const result = (state: RunState): Value => {
        const end = run(state);
        const { result: value } = state;
        state.result = null;
        return end === RETURN ? value : null;
      };
      return { run: result, weight: 1 };
    },
  };
  const run = statements(withReturn(body.body), context, false);
  // A script that ends without `return` gives false or 0, where it has to give a boolean or a number.
  const initial = returns === undefined ? null : initialValue(returns);
  return {
    slots: scope.slots,
    run: (state) => (run(state) === RETURN ? state.result : initial),
  };
}

/** The value of the last statement, if it is an expression, is the result. */
function withReturn(body: readonly Statement[]): readonly Statement[] {
  const last = body.at(-1);
  if (last?.kind !== 'expression') return body;
  return [...body.slice(0, -1), { kind: 'return', at: last.at, value: last.value }];
}

function block(node: ScriptBlock, context: CompileContext, inLoop: boolean): Step {
  return context.scope.within(() => statements(node.body, context, inLoop));
}

function statements(body: readonly Statement[], context: CompileContext, inLoop: boolean): Step {
  const steps = body.map((each, i) => {
    const before = body[i - 1];
    if (before !== undefined && ENDS.has(before.kind))
      throw new ScriptFault('illegal_argument_exception', 'unreachable statement', each.at);
    return statement(each, context, inLoop);
  });
  const [only] = steps;
  if (only !== undefined && steps.length === 1) return only;
  return (state) => {
    for (const step of steps) {
      const end = step(state);
      if (end !== NEXT) return end;
    }
    return NEXT;
  };
}

const ENDS: ReadonlySet<string> = new Set(['return', 'break', 'continue', 'throw']);

function statement(node: Statement, context: CompileContext, inLoop: boolean): Step {
  const { at } = node;
  const { scope } = context;
  switch (node.kind) {
    case 'block':
      return block(node, context, inLoop);
    case 'expression': {
      const { run, weight } = compileExpression(node.value, context);
      return (state) => {
        state.at = at;
        state.spend(weight);
        run(state);
        return NEXT;
      };
    }
    case 'declare': {
      const steps = node.variables.map(({ declared, value }) => {
        const compiled = value && compileExpression(value, context);
        const { slot, type } = scope.declare(declared);
        if (compiled === undefined) {
          const initial = initialValue(type);
          return (state: RunState): void => {
            state.slots[slot] = initial;
          };
        }
        const run = assigned(compiled, type, value!.at);
        const { weight } = compiled;
        return (state: RunState): void => {
          state.at = declared.at;
          state.spend(weight);
          state.slots[slot] = run(state);
        };
      });
      return (state) => {
        for (const step of steps) step(state);
        return NEXT;
      };
    }
    case 'if': {
      const { test, weight } = condition(node.test, context);
      const then = block(node.then, context, inLoop);
      const otherwise = node.otherwise === undefined ? nothing : block(node.otherwise, context, inLoop);
      return (state) => {
        state.at = at;
        state.spend(weight);
        return test(state) ? then(state) : otherwise(state);
      };
    }
    case 'while': {
      const { test, weight } = condition(node.test, context);
      return loop(at, weight, test, block(node.body, context, true), undefined);
    }
    case 'do': {
      const body = block(node.body, context, true);
      const { test, weight } = condition(node.test, context);
      const rest = loop(at, weight, test, body, undefined);
      return (state) => {
        const end = body(state);
        if (end === BREAK) return NEXT;
        return end === RETURN ? RETURN : rest(state);
      };
    }
    case 'for':
      return scope.within(() => {
        const start = node.start === undefined ? nothing : statement(node.start, context, false);
        const test = node.test === undefined ? undefined : condition(node.test, context);
        const next = node.next === undefined ? undefined : compileExpression(node.next, context);
        const body = block(node.body, context, true);
        const weight = (test?.weight ?? 0) + (next?.weight ?? 0);
        const run = loop(at, weight, test?.test ?? always, body, next?.run);
        return (state) => {
          start(state);
          return run(state);
        };
      });
    case 'each':
      return each(node, context);
    case 'break':
    case 'continue': {
      if (!inLoop)
        throw new ScriptFault('illegal_argument_exception', `extraneous ${node.kind} statement`, at);
      const end = node.kind === 'break' ? BREAK : CONTINUE;
      return () => end;
    }
    case 'return': {
      const value = node.value && compileExpression(node.value, context);
      if (value === undefined) return () => RETURN;
      const { weight } = value;
      const run =
        context.returns === undefined ? value.run : assigned(value, context.returns, node.value!.at);
      return (state) => {
        state.at = at;
        state.spend(weight);
        state.result = run(state);
        return RETURN;
      };
    }
    default: {
      const { run } = compileExpression(node.value, context);
      const position = node.value.at;
      return (state) => {
        const value = run(state);
        state.at = position;
        throw thrown(value);
      };
    }
  }
}

const nothing: Step = () => NEXT;
const always = (): boolean => true;

function loop(
  at: number,
  weight: number,
  test: (state: RunState) => boolean,
  body: Step,
  next: ((state: RunState) => Value) | undefined,
): Step {
  return (state) => {
    for (;;) {
      state.at = at;
      state.spend(weight + 1);
      if (!truth(test(state))) return NEXT;
      const end = body(state);
      if (end === BREAK) return NEXT;
      if (end === RETURN) return RETURN;
      next?.(state);
    }
  };
}

function each(node: Extract<Statement, { kind: 'each' }>, context: CompileContext): Step {
  const { at, variable } = node;
  const { scope } = context;
  const over = compileExpression(node.over, context);
  return scope.within(() => {
    const { slot, type } = scope.declare(variable);
    const body = block(node.body, context, true);
    return (state) => {
      state.at = at;
      state.spend(over.weight);
      const items = itemsOf(over.run(state), state);
      for (let i = 0; i < items.length; i++) {
        state.at = at;
        state.spend(1);
        state.slots[slot] = cast(type, items[i]!);
        const end = body(state);
        if (end === BREAK) return NEXT;
        if (end === RETURN) return RETURN;
      }
      return NEXT;
    };
  });
}

/** The items of a loop: those that the collection has when the loop begins. */
function itemsOf(value: Value, state: RunState): List {
  if (value === null) throw nullPointer('callArgs[0]');
  const items = Array.isArray(value)
    ? [...value]
    : value instanceof ValueSet
      ? [...value.items]
      : value instanceof ScriptObject
        ? value.items(state)
        : undefined;
  if (items === undefined)
    throw new ScriptFault('illegal_argument_exception', `Cannot iterate over [${classOf(value)}]`);
  state.allocate(items.length);
  return items;
}
