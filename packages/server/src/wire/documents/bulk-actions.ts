// Reads the actions of a bulk body. Action lines are parsed strictly, one by one; sources are views of the
// body.

import { illegalArgument, jsonScanner } from '@octavo/engine';
import { skipByteOrderMark } from '../../http/body-reader.ts';
import { parseSourceFilter, type SourceFilter } from '../source/source-filter.ts';
import { parseVersionType, type WriteConditions } from './write-params.ts';

const { ARRAY_END, ARRAY_START, END, KEY, NULL, NUMBER, OBJECT_END, OBJECT_START, STRING, Scanner } =
  jsonScanner;

/** One action, with the bytes of its source or update; a delete has none. */
export interface BulkAction {
  readonly kind: 'index' | 'create' | 'update' | 'delete';
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly conditions: WriteConditions;
  readonly retryOnConflict: number | undefined;
  readonly pipeline: string | undefined;
  readonly source: Uint8Array | undefined;
  readonly sourceSpec: SourceFilter | undefined;
}

const NAMES: Readonly<Record<number, string>> = {
  [END]: 'null',
  [OBJECT_START]: 'START_OBJECT',
  [OBJECT_END]: 'END_OBJECT',
  [ARRAY_START]: 'START_ARRAY',
  [ARRAY_END]: 'END_ARRAY',
  [KEY]: 'FIELD_NAME',
  [STRING]: 'VALUE_STRING',
  [NUMBER]: 'VALUE_NUMBER',
  [jsonScanner.TRUE]: 'VALUE_BOOLEAN',
  [jsonScanner.FALSE]: 'VALUE_BOOLEAN',
  [NULL]: 'VALUE_NULL',
};

const KINDS: ReadonlySet<string> = new Set([
  'index',
  'create',
  'update',
  'delete',
] satisfies BulkAction['kind'][]);

/** Whether a name is that of an action. */
export function isActionKind(name: string): name is BulkAction['kind'] {
  return KINDS.has(name);
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const BACKSLASH = 92;

/** Reads the actions of a body in order. Throws `illegal_argument_exception` with the number of the line, from 1. */
export class BulkActions {
  readonly #body: Uint8Array;
  readonly #reader: ActionReader;
  #at = 0;
  #line = 0;

  constructor(body: Uint8Array) {
    if (body.length > 0 && body[body.length - 1] !== NEWLINE)
      throw illegalArgument('The bulk request must be terminated by a newline [\\n]');
    this.#body = body;
    this.#reader = new ActionReader(body);
  }

  /** The next action; undefined after the last one. */
  next(): BulkAction | undefined {
    const body = this.#body;
    while (this.#at < body.length) {
      const start = skipByteOrderMark(body, this.#at);
      const end = body.indexOf(NEWLINE, start);
      this.#at = end + 1;
      this.#line++;
      if (!isBlank(body, start, end)) return this.#action(start, end);
    }
    return undefined;
  }

  #action(start: number, end: number): BulkAction {
    const reader = this.#reader;
    const id = reader.repeatedId(start, end);
    const line = id === undefined ? reader.read(start, end, this.#line) : reader.last!;
    return withSource(line, id ?? line.id, line.kind === 'delete' ? undefined : this.#source());
  }

  /** The line that follows an action. */
  #source(): Uint8Array {
    const body = this.#body;
    const start = skipByteOrderMark(body, this.#at);
    if (start >= body.length) throw malformed(this.#line, 'expected the line of its source behind it');
    const end = body.indexOf(NEWLINE, start);
    this.#at = end + 1;
    this.#line++;
    return body.subarray(start, end > start && body[end - 1] === RETURN ? end - 1 : end);
  }
}

type ActionLine = Omit<BulkAction, 'source'>;

/** The conditions of an action without conditions. */
export const NO_CONDITIONS: WriteConditions = {};

function withSource(
  { kind, index, type, conditions, retryOnConflict, pipeline, sourceSpec }: ActionLine,
  id: string | undefined,
  source: Uint8Array | undefined,
): BulkAction {
  return { kind, index, type, id, conditions, retryOnConflict, pipeline, source, sourceSpec };
}

/** Reads action lines out of one body. */
class ActionReader {
  readonly #body: Uint8Array;
  /** The body as a Buffer, from which ids are decoded. */
  readonly #text: Buffer;
  readonly #scanner = new Scanner();
  /** The last line that was parsed, from #start to #end, and its id, from #idStart to #idStop. */
  #last: ActionLine | undefined;
  #start = 0;
  #idStart = 0;
  #idStop = 0;
  #end = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#text = Buffer.from(body.buffer, body.byteOffset, body.length);
  }

  /** The line that was parsed last. */
  get last(): ActionLine | undefined {
    return this.#last;
  }

  /**
   * The id of a line that differs from the last parsed one only in a plain id, as most lines do; undefined
   * for other lines.
   */
  repeatedId(start: number, end: number): string | undefined {
    if (this.#last === undefined) return undefined;
    const body = this.#body;
    const idStart = start + this.#idStart - this.#start;
    const idStop = end - (this.#end - this.#idStop);
    if (idStop <= idStart) return undefined;
    for (let i = start, j = this.#start; i < idStart; i++, j++) if (body[i] !== body[j]) return undefined;
    for (let i = idStop, j = this.#idStop; i < end; i++, j++) if (body[i] !== body[j]) return undefined;
    for (let i = idStart; i < idStop; i++) {
      const c = body[i]!;
      if (c < 32 || c > 126 || c === QUOTE || c === BACKSLASH) return undefined;
    }
    return this.#text.toString('latin1', idStart, idStop);
  }

  /** Parses a line. */
  read(start: number, end: number, line: number): ActionLine {
    const scanner = this.#scanner;
    this.#last = undefined;
    this.#idStop = 0;
    scanner.reset(this.#body, start, end);
    this.#expect(scanner.next(), OBJECT_START, line);
    this.#expect(scanner.next(), KEY, line);
    const kind = scanner.keys.text(scanner.key);
    if (!isActionKind(kind)) {
      throw malformed(line, `expected one of [create, delete, index, update] but found [${kind}]`);
    }
    const token = scanner.next();
    if (token !== OBJECT_START) {
      throw malformed(line, `expected START_OBJECT or END_OBJECT but found [${NAMES[token]}]`);
    }
    const action = this.#members(kind, line);
    this.#skipRest(line);
    this.#expect(scanner.next(), END, line);
    if (this.#idStop > 0) {
      this.#last = action;
      this.#start = start;
      this.#end = end;
    }
    return action;
  }

  #members(action: BulkAction['kind'], line: number): ActionLine {
    const scanner = this.#scanner;
    let kind = action;
    let [index, type, id, pipeline]: (string | undefined)[] = [];
    let retryOnConflict: number | undefined;
    let sourceSpec: SourceFilter | undefined;
    const conditions: { -readonly [K in keyof WriteConditions]: WriteConditions[K] } = {};
    for (let token = scanner.next(); token === KEY; token = scanner.next()) {
      const name = scanner.keys.text(scanner.key);
      const value = scanner.next();
      if (name === '_source' && (value === OBJECT_START || value === ARRAY_START)) {
        sourceSpec = parseSourceFilter(readValue(scanner));
        continue;
      }
      if (value === OBJECT_START || value === ARRAY_START) {
        throw malformed(line, `expected a simple value for field [${name}] but found [${NAMES[value]}]`);
      }
      const text = value === NULL ? undefined : scalarText(scanner);
      if (name === '_index') index = text;
      else if (name === '_type') type = text;
      else if (name === '_id') {
        id = text;
        if (value === STRING) {
          this.#idStart = scanner.start;
          this.#idStop = scanner.stop;
        }
      } else if (name === 'routing') assign(conditions, 'routing', text);
      else if (name === 'op_type') kind = opType(text, line);
      else if (name === 'pipeline') pipeline = text;
      else if (name === 'version') assign(conditions, 'version', integer(text, name, line));
      else if (name === 'version_type') {
        assign(conditions, 'versionType', parseVersionType(text));
      } else if (name === 'if_seq_no') assign(conditions, 'ifSeqNo', integer(text, name, line));
      else if (name === 'if_primary_term') assign(conditions, 'ifPrimaryTerm', integer(text, name, line));
      else if (name === 'retry_on_conflict') {
        retryOnConflict = integer(text, name, line);
      } else if (name === 'require_alias') assign(conditions, 'requireAlias', flag(text));
      else if (name === '_source')
        sourceSpec = parseSourceFilter(text === 'true' || (text !== 'false' && (text ?? false)));
      else throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${name}]`);
    }
    const own = Object.keys(conditions).length === 0 ? NO_CONDITIONS : conditions;
    return { kind, index, type, id, conditions: own, retryOnConflict, pipeline, sourceSpec };
  }

  /**
   * Skips members behind the action, which clients use for notes of their own. A second action is refused: it would be
   * lost without a word.
   */
  #skipRest(line: number): void {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== OBJECT_END; token = scanner.next()) {
      this.#expect(token, KEY, line);
      const name = scanner.keys.text(scanner.key);
      if (isActionKind(name)) throw malformed(line, `expected one action but found [${name}] behind it`);
      let depth = 0;
      do {
        const value = scanner.next();
        if (value === OBJECT_START || value === ARRAY_START) depth++;
        else if (value === OBJECT_END || value === ARRAY_END) depth--;
      } while (depth > 0);
    }
  }

  #expect(token: number, expected: number, line: number): void {
    if (token === expected) return;
    throw malformed(line, `expected ${NAMES[expected]} but found [${NAMES[token]}]`);
  }
}

type AnyScanner = InstanceType<typeof Scanner>;

function readValue(scanner: AnyScanner): string[] | Record<string, string[]> {
  const strings = (): string[] => {
    if (scanner.token === STRING) return [scalarText(scanner)];
    const out: string[] = [];
    while (scanner.next() === STRING) out.push(scalarText(scanner));
    return out;
  };
  if (scanner.token === ARRAY_START) return strings();
  const out: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  while (scanner.next() === KEY) {
    const key = scanner.keys.text(scanner.key);
    scanner.next();
    out[key] = strings();
  }
  return out;
}

/** Strings, numbers and booleans as text. */
function scalarText(scanner: AnyScanner): string {
  if (scanner.token === jsonScanner.TRUE) return 'true';
  if (scanner.token === jsonScanner.FALSE) return 'false';
  const text = Buffer.from(
    scanner.bytes.buffer,
    scanner.bytes.byteOffset + scanner.start,
    scanner.stop - scanner.start,
  ).toString('utf8');
  return scanner.token === STRING && scanner.escaped ? (JSON.parse(`"${text}"`) as string) : text;
}

function assign<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value;
}

function opType(text: string | undefined, line: number): 'index' | 'create' {
  if (text === 'index' || text === 'create') return text;
  throw malformed(line, `expected [op_type] to be index or create but found [${text}]`);
}

function integer(text: string | undefined, name: string, line: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^-?\d{1,18}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw malformed(line, `expected an integer for field [${name}] but found [${text}]`);
}

function flag(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

function malformed(line: number, why: string): Error {
  return illegalArgument(`Malformed action/metadata line [${line}], ${why}`);
}

function isBlank(body: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = body[i]!;
    if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  }
  return true;
}
