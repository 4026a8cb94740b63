// Compiles expressions into closures. Each closure notes its offset before it does what may fail.

import type { ArithmeticOperator, Expression, Place, ScriptBlock } from '../language/syntax.ts';
import {
  isPrimitive,
  isPrimitiveNumber,
  isTypeName,
  promoted,
  TYPES,
  type TypeName,
  widens,
} from '../language/types.ts';
import { keyArgument, truth } from '../library/arguments.ts';
import {
  constructorOf,
  isClassName,
  lacksMethod,
  staticConstant,
  staticFunction,
} from '../library/library.ts';
import type { RunState } from '../run-state.ts';
import { illegal, ScriptFault } from '../script-fault.ts';
import { arithmetic, bitwiseNot, compares, equal, negate, plus } from '../values/arithmetic.ts';
import { assignable, cast, castNumber, initialValue, isInstance, shown } from '../values/casts.ts';
import {
  asNumber,
  classOf,
  Double,
  equalTexts,
  Float,
  type Key,
  Lambda,
  type List,
  ScriptObject,
  type Value,
  ValueMap,
} from '../values/value.ts';
import { invoke, memberNames, readItem, readMember, writeItem, writeMember } from './members.ts';
import type { Compiled, Scope } from './scope.ts';

/** What a context adds to the language: functions that are called without a class. */
export type Functions = Readonly<Record<string, (args: readonly Value[], state: RunState) => Value>>;

/** What compiling an expression needs. */
export interface CompileContext {
  readonly scope: Scope;
  readonly functions: Functions;
  /** The type of the result of the script; undefined for any. */
  readonly returns?: TypeName | undefined;
  /** The block of a lambda, which runs to its `return`. */
  readonly block: (block: ScriptBlock) => { run: (state: RunState) => Value; weight: number };
}

/** Writes a place: what stands left of it is evaluated once, and first. */
interface CompiledPlace {
  readonly type: TypeName;
  readonly weight: number;
  /** Writes a value that is then computed, and returns it. */
  readonly write: (state: RunState, value: (state: RunState) => Value) => Value;
  /** Writes what becomes of the old value, and returns the old one where `givesOld`. */
  readonly update: (
    state: RunState,
    change: (state: RunState, old: Value) => Value,
    givesOld: boolean,
  ) => Value;
}

/** Throws a ScriptFault at the offset of the node. */
export function compileExpression(node: Expression, context: CompileContext): Compiled {
  const { at } = node;
  switch (node.kind) {
    case 'null':
      return constant(null);
    case 'true':
    case 'false':
      return constant(node.kind === 'true', 'boolean');
    case 'string':
      return constant(node.text, 'String');
    case 'number':
      return number(node.text, at);
    case 'name':
      return name(node.name, at, context);
    case 'list': {
      const items = node.items.map((item) => compileExpression(item, context));
      return {
        type: 'ArrayList',
        weight: sum(items) + 1,
        run: (state) => {
          state.allocate(items.length + 2);
          return items.map(({ run }) => run(state));
        },
      };
    }
    case 'map': {
      const entries = node.entries.map(
        ([key, value]) => [compileExpression(key, context), compileExpression(value, context)] as const,
      );
      return {
        type: 'HashMap',
        weight: sum(entries.flat()) + 1,
        run: (state) => {
          state.allocate(4 * entries.length + 4);
          const made = new Map<Key, Value>();
          for (const [key, value] of entries) made.set(keyArgument(key.run(state), state), value.run(state));
          return new ValueMap(made);
        },
      };
    }
    case 'new': {
      const args = node.args.map((arg) => compileExpression(arg, context));
      const make = constructorOf(node.type, args.length);
      if (make === undefined) {
        const reason = isTypeName(node.type)
          ? `constructor [${TYPES[node.type]}, <init>/${args.length}] not found`
          : `cannot resolve type [${node.type}]`;
        throw new ScriptFault('illegal_argument_exception', reason, at);
      }
      return {
        type: isTypeName(node.type) ? node.type : 'def',
        weight: sum(args) + CALL,
        run: (state) => {
          const values = args.map(({ run }) => run(state));
          state.at = at;
          state.allocate(4);
          return make(values, state);
        },
      };
    }
    case 'member':
      return member(node, context);
    case 'call':
      return call(node, context);
    case 'function': {
      const { functions } = context;
      const known = Object.hasOwn(functions, node.name) ? functions[node.name] : undefined;
      if (known === undefined) {
        const reason = `Unknown call [${node.name}] with [${node.args.length}] arguments.`;
        throw new ScriptFault('illegal_argument_exception', reason, at);
      }
      const args = node.args.map((arg) => compileExpression(arg, context));
      return {
        type: 'def',
        weight: sum(args) + CALL,
        run: (state) => {
          const values = args.map(({ run }) => run(state));
          state.at = at;
          return known(values, state);
        },
      };
    }
    case 'index': {
      const target = compileExpression(node.target, context);
      const index = compileExpression(node.index, context);
      return {
        type: 'def',
        weight: target.weight + index.weight + 1,
        run: (state) => {
          const list = target.run(state);
          const i = index.run(state);
          state.at = list instanceof ScriptObject ? node.index.at : at;
          return readItem(list, i, state);
        },
      };
    }
    case 'unary':
      return unary(node, context);
    case 'cast': {
      const operand = compileExpression(node.operand, context);
      const { type } = node;
      const isText = operand.type === 'String' && isPrimitive(type) && type !== 'char';
      if (isText || (type === 'String' && isPrimitive(operand.type) && operand.type !== 'char'))
        throw castFault(operand.type, type, node.operand.at);
      return {
        type,
        weight: operand.weight + 1,
        run: (state) => {
          const value = operand.run(state);
          state.at = at;
          return cast(type, value);
        },
      };
    }
    case 'binary':
      return binary(node, context);
    case 'and':
    case 'or': {
      const [left, right] = [condition(node.left, context), condition(node.right, context)];
      const weight = left.weight + right.weight + 1;
      return node.kind === 'and'
        ? { type: 'boolean', weight, run: (state) => left.test(state) && right.test(state) }
        : { type: 'boolean', weight, run: (state) => left.test(state) || right.test(state) };
    }
    case 'elvis': {
      const [left, right] = [compileExpression(node.left, context), compileExpression(node.right, context)];
      return {
        type: left.type === right.type ? left.type : 'def',
        weight: left.weight + right.weight + 1,
        run: (state) => left.run(state) ?? right.run(state),
      };
    }
    case 'instanceof': {
      const operand = compileExpression(node.operand, context);
      const { type } = node;
      return {
        type: 'boolean',
        weight: operand.weight + 1,
        run: (state) => isInstance(operand.run(state), type),
      };
    }
    case 'conditional': {
      const test = condition(node.test, context);
      const then = compileExpression(node.then, context);
      const otherwise = compileExpression(node.otherwise, context);
      return conditional(test, then, otherwise);
    }
    case 'assign':
      return assign(node, context);
    case 'step':
      return step(node, context);
    default:
      throw new ScriptFault('illegal_argument_exception', 'a lambda can only be an argument of a method', at);
  }
}

/** A condition: a boolean. */
export function condition(
  node: Expression,
  context: CompileContext,
): { weight: number; test: (state: RunState) => boolean } {
  const { type, weight, run } = compileExpression(node, context);
  if (type === 'boolean') return { weight, test: run as (state: RunState) => boolean };
  if (type !== 'def' && type !== 'Boolean' && type !== 'Object') throw castFault(type, 'boolean', node.at);
  const { at } = node;
  return {
    weight,
    test: (state) => {
      const value = run(state);
      state.at = at;
      return truth(value);
    },
  };
}

/** The value for a variable of a type; what can never fit is refused before the script runs. */
export function assigned(value: Compiled, type: TypeName, at: number): (state: RunState) => Value {
  if (type === 'def' || type === 'Object' || value.type === type) return value.run;
  if (value.constant === null && isPrimitive(type)) {
    const reason = `Cannot cast null to a primitive type [${type}].`;
    throw new ScriptFault('illegal_argument_exception', reason, at);
  }
  const isKnown = isPrimitive(value.type) || value.type === 'String';
  if (isKnown && isPrimitive(type) && !widens(value.type, type) && !isSmallConstant(value, type))
    throw castFault(value.type, type, at);
  if (isKnown && !isPrimitive(type) && boxes(value.type, type) === false)
    throw castFault(value.type, type, at);
  return (state) => {
    const result = value.run(state);
    state.at = at;
    return assignable(type, result);
  };
}

/** Whether an int that is written in the source fits a smaller type. */
function isSmallConstant({ type: from, constant: value }: Compiled, type: TypeName): boolean {
  if (from !== 'int' || typeof value !== 'number') return false;
  if (type === 'byte') return value === (value << 24) >> 24;
  return type === 'short' ? value === (value << 16) >> 16 : type === 'char' && value === (value & 0xffff);
}

/** Whether a primitive or a text can be an object of a class. */
function boxes(from: TypeName, to: TypeName): boolean {
  if (to === 'Number') return isPrimitiveNumber(from);
  return isInstance(from === 'String' ? '' : initialValue(from), to);
}

function castFault(from: TypeName, to: TypeName, at: number): ScriptFault {
  return new ScriptFault('class_cast_exception', `Cannot cast from [${TYPES[from]}] to [${TYPES[to]}].`, at);
}

function sum(nodes: readonly Compiled[]): number {
  return nodes.reduce((total, { weight }) => total + weight, 0);
}

function constant(value: Value, type: TypeName = 'def'): Compiled {
  return { type, weight: 1, run: () => value, constant: value };
}

function number(text: string, at: number): Compiled {
  const fault = (kind: string): ScriptFault =>
    new ScriptFault('illegal_argument_exception', `Invalid ${kind} constant [${text}].`, at);
  if (/^-?0[xX]/.test(text)) {
    const digits = text.replace(/[lL]$/, '').replace('-', '');
    const isLong = /[lL]$/.test(text);
    const bits = isLong ? 64 : 32;
    const value = /^0[xX]$/.test(digits) ? undefined : BigInt(digits);
    if (value === undefined || value >= 1n << BigInt(bits)) throw fault(isLong ? 'long' : 'int');
    const signed = BigInt.asIntN(bits, text.startsWith('-') ? -value : value);
    return isLong ? constant(signed, 'long') : constant(Number(signed), 'int');
  }
  if (/[dD]$/.test(text) || /[.eE]/.test(text.replace(/[fF]$/, ''))) {
    const value = Number(text.replace(/[dDfF]$/, ''));
    if (!Number.isFinite(value)) throw fault('double');
    return /[fF]$/.test(text)
      ? constant(new Float(Math.fround(value)), 'float')
      : constant(new Double(value), 'double');
  }
  if (/[fF]$/.test(text)) return constant(new Float(Math.fround(Number(text.slice(0, -1)))), 'float');
  const isLong = /[lL]$/.test(text);
  const digits = isLong ? text.slice(0, -1) : text;
  if (/^-?0\d*[89]/.test(digits)) throw fault('int');
  const octal = /^(-?)0([0-7]+)$/.exec(digits);
  const value = octal === null ? BigInt(digits) : BigInt(`0o${octal[2]}`) * (octal[1] === '-' ? -1n : 1n);
  if (isLong) {
    if (BigInt.asIntN(64, value) !== value) throw fault('long');
    return constant(value, 'long');
  }
  if (BigInt.asIntN(32, value) === value) return constant(Number(value), 'int');
  const reason = `Invalid int constant [${digits}]. If you want a long constant then change it to [${digits}L].`;
  throw new ScriptFault('illegal_argument_exception', reason, at);
}

function name(text: string, at: number, { scope }: CompileContext): Compiled {
  const found = scope.resolve(text);
  if (found === undefined)
    throw new ScriptFault('illegal_argument_exception', `cannot resolve symbol [${text}]`, at);
  if ('global' in found) {
    const { global } = found;
    return { type: 'def', weight: 1, run: ({ globals }) => globals[global]! };
  }
  const { slot, type } = found;
  return { type, weight: 1, run: ({ slots }) => slots[slot]! };
}

/** The name of a class left of the point at an offset, if it is no variable. */
function classLeft(target: Expression, at: number, { scope }: CompileContext): string | undefined {
  if (target.kind !== 'name' || scope.resolve(target.name) !== undefined) return undefined;
  if (isClassName(target.name) || isTypeName(target.name)) return target.name;
  throw new ScriptFault('illegal_argument_exception', `cannot resolve symbol [${target.name}]`, at);
}

function member(node: Extract<Expression, { kind: 'member' }>, context: CompileContext): Compiled {
  const { at, nullSafe } = node;
  const type = classLeft(node.target, at, context);
  if (type !== undefined) {
    const value = staticConstant(type, node.name);
    if (value !== undefined) return constant(value, typeOfConstant(value));
    const reason = `member field [${isTypeName(type) ? TYPES[type] : type}, ${node.name}] not found`;
    throw new ScriptFault('illegal_argument_exception', reason, at);
  }
  const target = compileExpression(node.target, context);
  const names = memberNames(node.name);
  return {
    type: 'def',
    weight: target.weight + 1,
    run: (state) => {
      const value = target.run(state);
      if (nullSafe && value === null) return null;
      state.at = at;
      return readMember(value, names, state);
    },
  };
}

function typeOfConstant(value: Value): TypeName {
  if (typeof value === 'number') return 'int';
  if (typeof value === 'bigint') return 'long';
  return value instanceof Double ? 'double' : 'def';
}

function call(node: Extract<Expression, { kind: 'call' }>, context: CompileContext): Compiled {
  const { at, nullSafe } = node;
  const args = node.args.map((arg) => argument(arg, context));
  const weight = sum(args) + CALL;
  const type = classLeft(node.target, at, context);
  if (type !== undefined) {
    const run = staticFunction(type, node.name, args.length);
    if (run === undefined) {
      const reason = `static method [${isTypeName(type) ? TYPES[type] : type}, ${node.name}/${args.length}] not found`;
      throw new ScriptFault('illegal_argument_exception', reason, at);
    }
    return {
      type: type === 'Math' ? (node.name === 'round' ? 'def' : 'double') : 'def',
      weight,
      run: (state) => {
        const values = args.map((arg) => arg.run(state));
        state.at = at;
        return run(undefined, values, state);
      },
    };
  }
  const target = compileExpression(node.target, context);
  if (lacksMethod(target.type, node.name, args.length)) {
    const reason = `member method [${TYPES[target.type]}, ${node.name}/${args.length}] not found`;
    throw new ScriptFault('illegal_argument_exception', reason, at);
  }
  return {
    type: 'def',
    weight: target.weight + weight,
    run: (state) => {
      const value = target.run(state);
      if (nullSafe && value === null) return null;
      const values = args.length === 0 ? NONE : args.map((arg) => arg.run(state));
      state.at = at;
      return invoke(value, node.name, values, state);
    },
  };
}

const NONE: List = [];
/** Steps of a call, which takes as long as so many operators. */
const CALL = 8;

/** An argument, which may be a lambda. */
function argument(node: Expression, context: CompileContext): Compiled {
  if (node.kind !== 'lambda') return compileExpression(node, context);
  const { scope } = context;
  const { parameters, body } = node;
  return scope.within(() => {
    const slots = parameters.map((parameter) => scope.declare(parameter).slot);
    const compiled = body.kind === 'block' ? context.block(body) : compileExpression(body, context);
    const run = (state: RunState): Value =>
      new Lambda(slots.length, (args) => {
        state.spend(compiled.weight + CALL);
        for (const [i, slot] of slots.entries())
          state.slots[slot] = assignable(parameters[i]!.type, args[i] ?? null);
        return compiled.run(state);
      });
    return { type: 'def', weight: 2, run };
  });
}

function unary(node: Extract<Expression, { kind: 'unary' }>, context: CompileContext): Compiled {
  const { operator, at } = node;
  if (operator === '!') {
    const { test, weight } = condition(node.operand, context);
    return { type: 'boolean', weight: weight + 1, run: (state) => !test(state) };
  }
  const operand = compileExpression(node.operand, context);
  const compute = operator === '-' ? negate : operator === '+' ? plus : bitwiseNot;
  return {
    type: isPrimitiveNumber(operand.type) ? promoted(operand.type, 'int') : 'def',
    weight: operand.weight + 1,
    run: (state) => {
      const value = operand.run(state);
      state.at = at;
      return compute(value);
    },
  };
}

const SHIFTS: ReadonlySet<string> = new Set(['<<', '>>', '>>>']);

function binary(node: Extract<Expression, { kind: 'binary' }>, context: CompileContext): Compiled {
  const { operator, at } = node;
  const left = operandOf(node.left, context);
  const right = operandOf(node.right, context);
  const weight = left.weight + right.weight + 1;
  switch (operator) {
    case '==':
    case '!=': {
      const wanted = operator === '==';
      return {
        type: 'boolean',
        weight,
        run: (state) => equal(left.run(state), right.run(state), state) === wanted,
      };
    }
    case '===':
    case '!==': {
      const wanted = operator === '===';
      return {
        type: 'boolean',
        weight,
        run: (state) => {
          const a = left.run(state);
          const b = right.run(state);
          const isText = typeof a === 'string' && typeof b === 'string';
          return (isText ? equalTexts(a, b, state) : a === b) === wanted;
        },
      };
    }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return {
        type: 'boolean',
        weight,
        run: (state) => {
          const a = left.run(state);
          const b = right.run(state);
          state.at = at;
          return compares(operator, a, b);
        },
      };
    default: {
      const type = arithmeticType(operator, left.type, right.type, node.right.at);
      return {
        type,
        weight,
        run: (state) => {
          const a = left.run(state);
          const b = right.run(state);
          state.at = at;
          return arithmetic(operator, a, b, state);
        },
      };
    }
  }
}

/** An operand. Of `a ? 1 : 2.5` both sides are promoted, but only where it is an operand. */
function operandOf(node: Expression, context: CompileContext): Compiled {
  const compiled = compileExpression(node, context);
  const { type, run } = compiled;
  if (node.kind !== 'conditional' || !isPrimitiveNumber(type)) return compiled;
  return { ...compiled, run: (state) => castNumber(type, run(state)) };
}

/** The type of a result; `def` where it is known only at run time. */
function arithmeticType(operator: ArithmeticOperator, left: TypeName, right: TypeName, at: number): TypeName {
  if (operator === '+' && (left === 'String' || right === 'String')) return 'String';
  if (!isPrimitive(left) || !isPrimitive(right)) return 'def';
  if (left === 'boolean' || right === 'boolean') {
    if (left === right && ['&', '|', '^'].includes(operator)) return 'boolean';
    throw castFault('boolean', left === 'boolean' ? right : left, at);
  }
  return promoted(left, SHIFTS.has(operator) ? 'int' : right);
}

function conditional(
  { test, weight }: ReturnType<typeof condition>,
  then: Compiled,
  otherwise: Compiled,
): Compiled {
  const all = weight + then.weight + otherwise.weight + 1;
  const areNumbers = isPrimitiveNumber(then.type) && isPrimitiveNumber(otherwise.type);
  const common = areNumbers ? promoted(then.type, otherwise.type) : 'def';
  return {
    type: then.type === otherwise.type ? then.type : common,
    weight: all,
    run: (state) => (test(state) ? then.run(state) : otherwise.run(state)),
  };
}

function compilePlace(node: Place, context: CompileContext): CompiledPlace {
  const { at } = node;
  if (node.kind === 'name') {
    const found = context.scope.resolve(node.name);
    if (found === undefined)
      throw new ScriptFault('illegal_argument_exception', `cannot resolve symbol [${node.name}]`, at);
    if ('global' in found)
      throw new ScriptFault('illegal_argument_exception', `Variable [${node.name}] is read-only.`, at);
    const { slot, type } = found;
    return {
      type,
      weight: 1,
      write: (state, value) => {
        const result = value(state);
        state.slots[slot] = result;
        return result;
      },
      update: (state, change, givesOld) => {
        const old = state.slots[slot]!;
        const result = change(state, old);
        state.slots[slot] = result;
        return givesOld ? old : result;
      },
    };
  }
  const target = compileExpression(node.target, context);
  if (node.kind === 'member') {
    const { name } = node;
    const names = memberNames(name);
    return {
      type: 'def',
      weight: target.weight + 1,
      write: (state, value) => {
        const holder = target.run(state);
        const result = value(state);
        state.at = at;
        writeMember(holder, name, result, state);
        return result;
      },
      update: (state, change, givesOld) => {
        const holder = target.run(state);
        state.at = at;
        const old = readMember(holder, names, state);
        const result = change(state, old);
        state.at = at;
        writeMember(holder, name, result, state);
        return givesOld ? old : result;
      },
    };
  }
  const index = compileExpression(node.index, context);
  return {
    type: 'def',
    weight: target.weight + index.weight + 1,
    write: (state, value) => {
      const holder = target.run(state);
      const i = index.run(state);
      const result = value(state);
      state.at = at;
      writeItem(holder, i, result, state);
      return result;
    },
    update: (state, change, givesOld) => {
      const holder = target.run(state);
      const i = index.run(state);
      state.at = at;
      const old = readItem(holder, i, state);
      const result = change(state, old);
      state.at = at;
      writeItem(holder, i, result, state);
      return givesOld ? old : result;
    },
  };
}

function assign(node: Extract<Expression, { kind: 'assign' }>, context: CompileContext): Compiled {
  const { operator } = node;
  const place = compilePlace(node.place, context);
  const value = compileExpression(node.value, context);
  const { type } = place;
  const weight = place.weight + value.weight + 1;
  const { at } = node.value;
  if (operator === undefined) {
    const run = assigned(value, type, at);
    return { type, weight, run: (state) => place.write(state, run) };
  }
  const narrow = narrowing(type);
  const change = (state: RunState, old: Value): Value => {
    const operand = value.run(state);
    state.at = at;
    return narrow(old, arithmetic(operator, old, operand, state));
  };
  return { type, weight, run: (state) => place.update(state, change, false) };
}

/** How the result of `+=` and the like becomes a value of its place. */
function narrowing(type: TypeName): (old: Value, result: Value) => Value {
  if (isPrimitiveNumber(type)) return (_, result) => castNumber(type, numeric(result));
  return type === 'def' ? narrowed : (_, result) => assignable(type, result);
}

/** The result as a number of the type that the place has held. */
function narrowed(old: Value, result: Value): Value {
  const before = asNumber(old);
  if (before === undefined) return result;
  if (typeof result === 'string')
    throw new ScriptFault(
      'class_cast_exception',
      `cannot implicitly cast def [${shown(old)}] to java.lang.String`,
    );
  const own: TypeName =
    typeof old === 'number'
      ? 'int'
      : typeof old === 'bigint'
        ? 'long'
        : old instanceof Double
          ? 'double'
          : old instanceof Float
            ? 'float'
            : 'char';
  return castNumber(own, numeric(result));
}

function numeric(value: Value): Value {
  if (asNumber(value) !== undefined) return value;
  throw illegal(`[${classOf(value)}] is no number`);
}

function step(node: Extract<Expression, { kind: 'step' }>, context: CompileContext): Compiled {
  const { at, by, isPrefix } = node;
  const place = compilePlace(node.place, context);
  const { type } = place;
  if (!isPrimitiveNumber(type) && isPrimitive(type)) throw castFault('int', type, at);
  const narrow = narrowing(type);
  const change = (state: RunState, old: Value): Value => {
    state.at = at;
    return narrow(old, arithmetic('+', old, by, state));
  };
  return { type, weight: place.weight + 1, run: (state) => place.update(state, change, !isPrefix) };
}
