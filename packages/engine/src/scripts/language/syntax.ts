// The tree of a parsed script. Each node has the offset that errors report for it.

import type { TypeName } from './types.ts';

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '>>>'
  | '&'
  | '|'
  | '^'
  | '=='
  | '!='
  | '==='
  | '!=='
  | '<'
  | '<='
  | '>'
  | '>=';

export type ArithmeticOperator = Exclude<
  BinaryOperator,
  '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>='
>;

/** What can stand left of `=`. */
export type Place = Extract<Expression, { kind: 'name' | 'member' | 'index' }>;

export type Expression =
  | { kind: 'null' | 'true' | 'false'; at: number }
  | { kind: 'number' | 'string'; at: number; text: string }
  | { kind: 'name'; at: number; name: string }
  | { kind: 'list'; at: number; items: readonly Expression[] }
  | { kind: 'map'; at: number; entries: readonly (readonly [Expression, Expression])[] }
  | { kind: 'new'; at: number; type: string; args: readonly Expression[] }
  | { kind: 'member'; at: number; target: Expression; name: string; nullSafe: boolean }
  | {
      kind: 'call';
      at: number;
      target: Expression;
      name: string;
      args: readonly Expression[];
      nullSafe: boolean;
    }
  | { kind: 'function'; at: number; name: string; args: readonly Expression[] }
  | { kind: 'index'; at: number; target: Expression; index: Expression }
  | { kind: 'unary'; at: number; operator: '!' | '~' | '+' | '-'; operand: Expression }
  | { kind: 'cast'; at: number; type: TypeName; operand: Expression }
  | { kind: 'binary'; at: number; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'and' | 'or' | 'elvis'; at: number; left: Expression; right: Expression }
  | { kind: 'instanceof'; at: number; operand: Expression; type: TypeName }
  | { kind: 'conditional'; at: number; test: Expression; then: Expression; otherwise: Expression }
  | {
      kind: 'assign';
      at: number;
      place: Place;
      operator: ArithmeticOperator | undefined;
      value: Expression;
    }
  | { kind: 'step'; at: number; place: Place; by: 1 | -1; isPrefix: boolean }
  | { kind: 'lambda'; at: number; parameters: readonly Declared[]; body: Expression | ScriptBlock };

/** A declared variable. */
export interface Declared {
  readonly at: number;
  readonly type: TypeName;
  readonly name: string;
}

export interface ScriptBlock {
  readonly kind: 'block';
  readonly at: number;
  readonly body: readonly Statement[];
}

export type Statement =
  | ScriptBlock
  | { kind: 'expression'; at: number; value: Expression }
  | {
      kind: 'declare';
      at: number;
      variables: readonly { declared: Declared; value: Expression | undefined }[];
    }
  | { kind: 'if'; at: number; test: Expression; then: ScriptBlock; otherwise: ScriptBlock | undefined }
  | { kind: 'while' | 'do'; at: number; test: Expression; body: ScriptBlock }
  | {
      kind: 'for';
      at: number;
      start: Statement | undefined;
      test: Expression | undefined;
      next: Expression | undefined;
      body: ScriptBlock;
    }
  | { kind: 'each'; at: number; variable: Declared; over: Expression; body: ScriptBlock }
  | { kind: 'break' | 'continue'; at: number }
  | { kind: 'return'; at: number; value: Expression | undefined }
  | { kind: 'throw'; at: number; value: Expression };

/** A whole script. */
export interface ParsedScript {
  readonly body: ScriptBlock;
  /** Offsets of all statements, ascending. */
  readonly statements: readonly number[];
}
