// Parses a script into its tree.

import { ScriptFault } from '../script-fault.ts';
import { readTokens } from './lexer.ts';
import { ExpressionParser } from './parse-expression.ts';
import type { Declared, ParsedScript, ScriptBlock, Statement } from './syntax.ts';
import { isTypeName } from './types.ts';

/** Parses a source. Throws a ScriptFault. O(source). */
export function parseScript(source: string): ParsedScript {
  return new ScriptParser(readTokens(source)).script();
}

class ScriptParser extends ExpressionParser {
  readonly #statements: number[] = [];

  script(): ParsedScript {
    const body: Statement[] = [];
    while (this.token.kind !== 'end') body.push(this.#statement());
    return {
      body: { kind: 'block', at: 0, body },
      statements: this.#statements.sort((a, b) => a - b),
    };
  }

  protected block(): ScriptBlock {
    const { at } = this.expect('{');
    const body: Statement[] = [];
    while (!this.takes('}')) {
      if (this.token.kind === 'end') throw this.unexpected();
      body.push(this.#statement());
    }
    return { kind: 'block', at, body };
  }

  /** A block, or the one statement in its place. */
  #body(): ScriptBlock {
    if (this.is('{')) return this.block();
    const { at } = this.token;
    if (this.takes(';')) return { kind: 'block', at, body: [] };
    return { kind: 'block', at, body: [this.#statement()] };
  }

  #statement(): Statement {
    return this.inside(() => this.#anyStatement());
  }

  #anyStatement(): Statement {
    const { token } = this;
    const { at, text, kind } = token;
    if (kind === 'sign' && text === '{') return this.block();
    if (kind === 'sign' && text === ';') throw this.unexpected();
    if (kind === 'keyword') {
      if (text === 'if') return this.#if();
      if (text === 'for') return this.#for();
      if (text === 'while') {
        this.#begin(at);
        this.next();
        const test = this.#test();
        return { kind: 'while', at, test, body: this.#body() };
      }
      if (text === 'do') {
        this.#begin(at);
        this.next();
        const body = this.block();
        this.expect('while');
        const test = this.#test();
        this.#end();
        return { kind: 'do', at, test, body };
      }
      if (text === 'try') throw this.refuse('try blocks');
    }
    const statement = this.#simple();
    this.#end();
    return statement;
  }

  /** A statement that ends with a semicolon. */
  #simple(): Statement {
    const { at, text, kind } = this.token;
    if (kind === 'keyword') {
      if (text === 'break' || text === 'continue') {
        this.#begin(at);
        this.next();
        return { kind: text, at };
      }
      if (text === 'return' || text === 'throw') {
        this.#begin(at);
        this.next();
        if (text === 'throw') return { kind: 'throw', at, value: this.expression() };
        const isEmpty = this.is(';') || this.is('}') || this.token.kind === 'end';
        return { kind: 'return', at, value: isEmpty ? undefined : this.expression() };
      }
    }
    if (this.#isDeclaration()) return this.#declaration();
    this.#begin(at);
    return { kind: 'expression', at, value: this.expression() };
  }

  /** The end of a statement: a semicolon, which the last one of a block may leave out. */
  #end(): void {
    if (this.takes(';') || this.is('}') || this.token.kind === 'end') return;
    throw this.unexpected();
  }

  /** Two words in a row are a type and a name. */
  #isDeclaration(): boolean {
    if (this.token.kind !== 'word') return false;
    const isEntry = this.token.text === 'Map' && this.peek(1).text === '.' && this.peek(2).text === 'Entry';
    if (isEntry) return this.peek(3).kind === 'word';
    if (this.peek(1).kind === 'word') return true;
    return isTypeName(this.token.text) && this.peek(1).text === '[' && this.peek(2).text === ']';
  }

  #declaration(): Statement {
    const { at, text } = this.token;
    const name = this.peek(1);
    if (!isTypeName(text)) {
      const reason = `invalid declaration: cannot resolve type [${text}]`;
      throw new ScriptFault('illegal_argument_exception', reason, name.at);
    }
    const type = this.typeName();
    const variables: Extract<Statement, { kind: 'declare' }>['variables'][number][] = [];
    do {
      const own = this.word();
      if (this.is('(')) throw this.refuse('functions', own);
      this.#begin(own.at);
      const declared: Declared = { at: own.at, type, name: own.text };
      variables.push({ declared, value: this.takes('=') ? this.expression() : undefined });
    } while (this.takes(','));
    return { kind: 'declare', at, variables };
  }

  #test(): ReturnType<ExpressionParser['expression']> {
    this.expect('(');
    const test = this.expression();
    this.expect(')');
    return test;
  }

  #if(): Statement {
    const { at } = this.next();
    this.#begin(at);
    const test = this.#test();
    const then = this.#body();
    return { kind: 'if', at, test, then, otherwise: this.takes('else') ? this.#body() : undefined };
  }

  #for(): Statement {
    const { at } = this.next();
    this.#begin(at);
    this.expect('(');
    const each = this.#eachVariable();
    if (each !== undefined) {
      const over = this.expression();
      this.expect(')');
      return { kind: 'each', at, variable: each, over, body: this.#body() };
    }
    const start = this.is(';') ? undefined : this.#simple();
    this.expect(';');
    const test = this.is(';') ? undefined : this.expression();
    this.expect(';');
    const next = this.is(')') ? undefined : this.expression();
    this.expect(')');
    return { kind: 'for', at, start, test, next, body: this.#body() };
  }

  /** `def x :` or `x in`. */
  #eachVariable(): Declared | undefined {
    if (this.token.kind !== 'word') return undefined;
    if (this.peek(1).text === 'in' && this.peek(1).kind === 'keyword') {
      const { at, text } = this.next();
      this.next();
      return { at, type: 'def', name: text };
    }
    const isEntry = this.token.text === 'Map' && this.peek(1).text === '.';
    const name = isEntry ? 3 : 1;
    if (this.peek(name).kind !== 'word' || this.peek(name + 1).text !== ':') return undefined;
    const type = this.typeName();
    const own = this.word();
    this.next();
    return { at: own.at, type, name: own.text };
  }

  #begin(at: number): void {
    this.#statements.push(at);
  }
}
