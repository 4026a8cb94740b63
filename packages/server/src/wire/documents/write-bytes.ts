// How are the items of a bulk printed, of which thousands have one shape? As bytes right away, side by side in one buffer:
// what a run of them shares is copied, and only ids and numbers are written for each. Text that grows by thousands of
// pieces is flattened, encoded and collected, which takes three times as long.

import type { Engine, WriteResult } from '@octavo/engine';
import { writeStatus } from './write-reply.ts';
import { WriteText } from './write-text.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING = 91;
const CLOSING = 93;
/** In place of what differs from item to item. */
const GAP = '\u0000';
/** So many bytes are copied one by one: a call costs more. */
const FEW = 24;
/** What numbers, the comma and a usual id need at most. */
const NUMBERS = 64;
const FIRST_BYTES = 1024;
/** What was made and what was written over come in turns: pieces of so many shapes are kept. */
const MOST_SHAPES = 8;
/** Of a character, as UTF-8. */
const MOST_BYTES = 3;

/** What a run of items has in common, */
interface Shape {
  readonly action: string;
  readonly index: string;
  readonly type: string;
  readonly result: WriteResult['result'];
  readonly info: ReturnType<Engine['indices']['info']>;
  /** and its bytes around id, version and sequence number. */
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
}

/** Items of a bulk, one behind the other. */
export class WriteBytes {
  readonly #engine: Engine;
  readonly #forced: boolean;
  readonly #texts = new WriteText();
  /** Items that are to be expected, this one included: room is made for all of them at once. */
  #expected: number;
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 1;
  /** Of the last item. */
  #shape: Shape | undefined;
  /** Of those before it, the newest last. */
  readonly #shapes: Shape[] = [];

  constructor(engine: Engine, forced: boolean, expected: number) {
    this.#engine = engine;
    this.#forced = forced;
    this.#expected = expected;
    this.#bytes[0] = OPENING;
  }

  /** An action that was carried out. */
  add(action: string, result: WriteResult): void {
    const { pieces, bytes } = this.#shapeOf(action, result);
    const { id } = result;
    this.#room(bytes + NUMBERS + id.length * MOST_BYTES, bytes);
    const start = this.#begin();
    this.#piece(pieces[0]!);
    if (!this.#plain(id)) {
      // Its quotes are in the pieces.
      const text = JSON.stringify(id).slice(1, -1);
      this.#length = start;
      this.#room(bytes + NUMBERS + text.length * MOST_BYTES, bytes);
      this.#piece(pieces[0]!);
      this.#length += this.#bytes.write(text, this.#length, 'utf8');
    }
    this.#piece(pieces[1]!);
    this.#number(result.version);
    this.#piece(pieces[2]!);
    this.#number(result.seqNo);
    this.#piece(pieces[3]!);
  }

  /** An item that is printed already. */
  printed(item: Uint8Array): void {
    this.#room(item.length + 1, item.length);
    this.#begin();
    this.#bytes.set(item, this.#length);
    this.#length += item.length;
  }

  /** The array of all items. */
  end(): Uint8Array {
    this.#room(1, 0);
    this.#bytes[this.#length++] = CLOSING;
    return this.#bytes.subarray(0, this.#length);
  }

  #shapeOf(action: string, result: WriteResult): Shape {
    const last = this.#shape;
    const info = this.#engine.indices.info(result.index);
    if (last !== undefined && fits(last, action, result, info)) return last;
    let shape = this.#shapes.find((each) => fits(each, action, result, info));
    if (shape === undefined) {
      shape = this.#newShape(action, result, info);
      if (this.#shapes.length === MOST_SHAPES) this.#shapes.shift();
      this.#shapes.push(shape);
    }
    this.#shape = shape;
    return shape;
  }

  #newShape(action: string, written: WriteResult, info: Shape['info']): Shape {
    const { index, type, result } = written;
    const members = this.#texts.of(written, this.#engine, this.#forced, `"${GAP}"`, GAP, GAP);
    const item = `{"${action}":{${members},"status":${writeStatus(written)}}}`;
    const pieces = item.split(GAP).map((piece) => Buffer.from(piece, 'utf8'));
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    return { action, index, type, result, info, pieces, bytes };
  }

  /** Writes the comma before an item but the first; returns where it begins. */
  #begin(): number {
    if (this.#length > 1) this.#bytes[this.#length++] = COMMA;
    this.#expected--;
    return this.#length;
  }

  #piece(piece: Buffer): void {
    const bytes = this.#bytes;
    const at = this.#length;
    if (piece.length > FEW) bytes.set(piece, at);
    else for (let i = 0; i < piece.length; i++) bytes[at + i] = piece[i]!;
    this.#length = at + piece.length;
  }

  /** Writes a text whose characters stand in JSON as they are; false where one does not. */
  #plain(text: string): boolean {
    const bytes = this.#bytes;
    const at = this.#length;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c < 32 || c > 126 || c === QUOTE || c === BACKSLASH) return false;
      bytes[at + i] = c;
    }
    this.#length = at + text.length;
    return true;
  }

  #number(n: number): void {
    if (n < 0 || n > 0x7fff_ffff) {
      this.#length += this.#bytes.latin1Write(String(n), this.#length);
      return;
    }
    let digits = 1;
    for (let most = 10; n >= most; most *= 10) digits++;
    const bytes = this.#bytes;
    this.#length += digits;
    for (let at = this.#length - 1, rest = n | 0; digits > 0; digits--) {
      const left = (rest / 10) | 0;
      bytes[at--] = 48 + rest - left * 10;
      rest = left;
    }
  }

  /** Makes room for an item, and for those behind it if they are like it. */
  #room(more: number, shared: number): void {
    if (this.#bytes.length - this.#length >= more) return;
    const others = Math.max(0, this.#expected - 1) * (shared + NUMBERS);
    const larger = Buffer.allocUnsafe(Math.max(this.#length * 2, this.#length + more + others));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function fits(
  shape: Shape,
  action: string,
  { index, type, result }: WriteResult,
  info: Shape['info'],
): boolean {
  return (
    result === shape.result &&
    action === shape.action &&
    index === shape.index &&
    type === shape.type &&
    info === shape.info
  );
}
