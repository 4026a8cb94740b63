// Parses expressions by precedence climbing.

import { ScriptFault } from '../script-fault.ts';
import type { ScriptToken } from './lexer.ts';
import type {
  ArithmeticOperator,
  BinaryOperator,
  Declared,
  Expression,
  Place,
  ScriptBlock,
} from './syntax.ts';
import { isTypeName, type TypeName } from './types.ts';

/** Brackets, operators and blocks inside each other. */
const MAX_DEPTH = 150;

const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  ...{ '==': 6, '!=': 6, '===': 6, '!==': 6 },
  ...{ '<': 7, '<=': 7, '>': 7, '>=': 7, instanceof: 7 },
  ...{ '<<': 8, '>>': 8, '>>>': 8 },
  ...{ '+': 9, '-': 9, '*': 10, '/': 10, '%': 10 },
};

const ASSIGNMENTS: ReadonlySet<string> = new Set([
  ...['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>='],
]);

/** Reads expressions from tokens; the parser of statements builds on it. */
export abstract class ExpressionParser {
  readonly #tokens: readonly ScriptToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ScriptToken[]) {
    this.#tokens = tokens;
  }

  /** The block of a lambda. */
  protected abstract block(): ScriptBlock;

  expression(): Expression {
    return this.#nested(() => this.#assignment());
  }

  protected get token(): ScriptToken {
    return this.#tokens[this.#at]!;
  }

  protected peek(ahead: number): ScriptToken {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  protected next(): ScriptToken {
    return this.#tokens[this.#at < this.#tokens.length - 1 ? this.#at++ : this.#at]!;
  }

  protected is(text: string): boolean {
    const { token } = this;
    return token.text === text && (token.kind === 'sign' || token.kind === 'keyword');
  }

  protected takes(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  protected expect(text: string): ScriptToken {
    if (!this.is(text)) throw this.unexpected();
    return this.next();
  }

  protected word(): ScriptToken {
    if (this.token.kind !== 'word') throw this.unexpected();
    return this.next();
  }

  protected unexpected(token: ScriptToken = this.token): ScriptFault {
    if (token.kind === 'end')
      return new ScriptFault('illegal_argument_exception', 'unexpected end of script.', token.at);
    return new ScriptFault(
      'illegal_argument_exception',
      `invalid sequence of tokens near ['${token.text}'].`,
      token.at,
    );
  }

  protected refuse(what: string, token: ScriptToken = this.token): ScriptFault {
    return new ScriptFault('illegal_argument_exception', `${what} are not supported`, token.at);
  }

  /** Runs a parser one level deeper. */
  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new ScriptFault(
        'illegal_argument_exception',
        `more than ${MAX_DEPTH} levels of nesting`,
        this.token.at,
      );
    const found = parse();
    this.#depth--;
    return found;
  }

  protected inside<T>(parse: () => T): T {
    return this.#nested(parse);
  }

  #assignment(): Expression {
    const lambda = this.#lambda();
    if (lambda !== undefined) return lambda;
    const left = this.#conditional();
    const { token } = this;
    if (token.kind !== 'sign' || !ASSIGNMENTS.has(token.text)) return left;
    const place = this.#place(left, token);
    this.next();
    const operator = token.text === '=' ? undefined : (token.text.slice(0, -1) as ArithmeticOperator);
    return { kind: 'assign', at: token.at, place, operator, value: this.expression() };
  }

  #place(left: Expression, token: ScriptToken): Place {
    if (left.kind === 'name' || left.kind === 'index') return left;
    if (left.kind === 'member' && !left.nullSafe) return left;
    throw this.unexpected(token);
  }

  #conditional(): Expression {
    const test = this.#binary(1);
    if (this.is('?')) {
      const { at } = this.next();
      const then = this.expression();
      this.expect(':');
      return { kind: 'conditional', at, test, then, otherwise: this.expression() };
    }
    if (this.is('?:')) {
      const { at } = this.next();
      return { kind: 'elvis', at, left: test, right: this.#nested(() => this.#conditional()) };
    }
    return test;
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { token } = this;
      const level = token.kind === 'sign' || token.text === 'instanceof' ? (PRECEDENCE[token.text] ?? 0) : 0;
      if (token.text === '=~' || token.text === '==~') throw this.refuse('regular expressions');
      if (level < least || level === 0) return left;
      this.next();
      const { at } = token;
      if (token.text === 'instanceof') {
        left = { kind: 'instanceof', at, operand: left, type: this.typeName() };
        continue;
      }
      const right = this.#nested(() => this.#binary(level + 1));
      if (token.text === '&&') left = { kind: 'and', at, left, right };
      else if (token.text === '||') left = { kind: 'or', at, left, right };
      else left = { kind: 'binary', at: left.at, operator: token.text as BinaryOperator, left, right };
    }
  }

  #unary(): Expression {
    const { token } = this;
    if (token.kind === 'sign') {
      const { at, text } = token;
      if (text === '++' || text === '--') {
        this.next();
        const place = this.#place(
          this.#nested(() => this.#unary()),
          token,
        );
        return { kind: 'step', at, place, by: text === '++' ? 1 : -1, isPrefix: true };
      }
      if (text === '!' || text === '~' || text === '+' || text === '-') {
        this.next();
        // A sign belongs to its number, so that the least int can be written.
        if (text === '-' && this.token.kind === 'number')
          return this.#postfix({ kind: 'number', at, text: `-${this.next().text}` });
        const operand = this.#nested(() => this.#unary());
        return { kind: 'unary', at: operand.at, operator: text, operand };
      }
      if (text === '(' && this.#isCast()) {
        this.next();
        const type = this.typeName();
        this.expect(')');
        return { kind: 'cast', at, type, operand: this.#nested(() => this.#unary()) };
      }
    }
    return this.#postfix(this.#primary());
  }

  #isCast(): boolean {
    const [type, close, then] = [this.peek(1), this.peek(2), this.peek(3)];
    if (type.kind !== 'word' || !isTypeName(type.text) || close.text !== ')') return false;
    if (then.kind === 'sign')
      return (
        then.text === '(' ||
        then.text === '[' ||
        then.text === '!' ||
        then.text === '~' ||
        ((then.text === '-' || then.text === '+') && isPrimitiveName(type.text))
      );
    if (then.kind === 'keyword') return then.text !== 'instanceof';
    return then.kind !== 'end';
  }

  /** A type, of those that the language has. */
  protected typeName(): TypeName {
    const token = this.word();
    let name = token.text;
    // `Map.Entry`
    if (name === 'Map' && this.is('.') && this.peek(1).text === 'Entry') {
      this.next();
      name = this.next().text;
    }
    if (!isTypeName(name))
      throw new ScriptFault('illegal_argument_exception', `cannot resolve type [${name}]`, token.at);
    if (this.is('[') && this.peek(1).text === ']') throw this.refuse('arrays');
    if (this.is('<')) throw this.refuse('type parameters');
    return name;
  }

  #postfix(start: Expression): Expression {
    let left = start;
    for (;;) {
      const { token } = this;
      if (token.kind !== 'sign') return left;
      const { at, text } = token;
      if (text === '.' || text === '?.') {
        this.next();
        const member = this.next();
        if (member.kind !== 'word' && member.kind !== 'keyword' && member.kind !== 'number')
          throw this.unexpected(member);
        const nullSafe = text === '?.';
        left = this.is('(')
          ? { kind: 'call', at, target: left, name: member.text, args: this.#arguments(), nullSafe }
          : { kind: 'member', at, target: left, name: member.text, nullSafe };
      } else if (text === '[') {
        this.next();
        const index = this.expression();
        this.expect(']');
        left = { kind: 'index', at, target: left, index };
      } else if (text === '++' || text === '--') {
        const place = this.#place(left, token);
        this.next();
        left = { kind: 'step', at, place, by: text === '++' ? 1 : -1, isPrefix: false };
      } else if (text === '::') throw this.refuse('method references');
      else return left;
    }
  }

  #arguments(): Expression[] {
    this.expect('(');
    const args: Expression[] = [];
    if (this.takes(')')) return args;
    do args.push(this.expression());
    while (this.takes(','));
    this.expect(')');
    return args;
  }

  #primary(): Expression {
    const token = this.next();
    const { kind, text, at } = token;
    if (kind === 'number' || kind === 'string') return { kind, at, text };
    if (kind === 'word') {
      if (this.is('(')) return { kind: 'function', at, name: text, args: this.#arguments() };
      return { kind: 'name', at, name: text };
    }
    if (kind === 'keyword') {
      if (text === 'null' || text === 'true' || text === 'false') return { kind: text, at };
      if (text === 'new') return this.#creation(at);
    }
    if (text === '(') {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (text === '[') return this.#literal(at);
    if (text === '/') throw this.refuse('regular expressions', token);
    throw this.unexpected(token);
  }

  #creation(at: number): Expression {
    const type = this.word().text;
    if (this.is('[')) throw this.refuse('arrays');
    if (!this.is('(')) throw this.unexpected();
    return { kind: 'new', at, type, args: this.#arguments() };
  }

  /** A list, or a map: `[1, 2]`, `['a': 1]`, `[:]`. */
  #literal(at: number): Expression {
    if (this.takes(']')) return { kind: 'list', at, items: [] };
    if (this.takes(':')) {
      this.expect(']');
      return { kind: 'map', at, entries: [] };
    }
    const first = this.expression();
    if (this.takes(':')) {
      const entries: [Expression, Expression][] = [[first, this.expression()]];
      while (this.takes(',')) {
        const key = this.expression();
        this.expect(':');
        entries.push([key, this.expression()]);
      }
      this.expect(']');
      return { kind: 'map', at, entries };
    }
    const items = [first];
    while (this.takes(',')) items.push(this.expression());
    this.expect(']');
    return { kind: 'list', at, items };
  }

  #lambda(): Expression | undefined {
    if (this.token.kind === 'word' && this.peek(1).text === '->' && this.peek(1).kind === 'sign') {
      const { at, text } = this.next();
      return this.#lambdaBody([{ at, type: 'def', name: text }]);
    }
    if (!this.is('(')) return undefined;
    let ahead = 1;
    while (this.peek(ahead).kind === 'word' || this.peek(ahead).text === ',') ahead++;
    if (this.peek(ahead).text !== ')' || this.peek(ahead + 1).text !== '->') return undefined;
    this.next();
    const parameters: Declared[] = [];
    while (!this.takes(')')) {
      const type = this.peek(1).kind === 'word' ? this.typeName() : 'def';
      const { at, text } = this.word();
      parameters.push({ at, type, name: text });
      if (!this.is(')')) this.expect(',');
    }
    return this.#lambdaBody(parameters);
  }

  #lambdaBody(parameters: readonly Declared[]): Expression {
    const { at } = this.expect('->');
    const body = this.is('{') ? this.block() : this.expression();
    return { kind: 'lambda', at, parameters, body };
  }
}

function isPrimitiveName(name: string): boolean {
  return name[0] === name[0]!.toLowerCase() && name !== 'def';
}
