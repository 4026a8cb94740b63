// Prints the results of writes: the reply to a single write, and each item of a bulk. Both have the same
// members, which are printed here and nowhere else, straight into bytes.
//
// Thousands of items of a bulk have one shape: the same action, index, type and result. What they share is
// printed once, as the bytes around id, version and sequence number, and copied for each. Text that grows by
// thousands of pieces would be flattened, encoded and collected, which takes three times as long.

import type { Engine, JsonWriter, WriteResult } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { writeShards } from '../resolve/shards.ts';
import { printReply } from '../router/print-reply.ts';

const QUOTE = 34;
const BACKSLASH = 92;
/** Stands in the text of a shape for what differs from item to item. JSON text never holds it. */
const GAP = '\u0000';
/** So many bytes are copied one by one: a call into Node costs more. */
const FEW = 24;
/** Created and overwritten documents come in turns, so the pieces of several shapes are kept. */
const MOST_SHAPES = 8;
/** `_shards` of an update that changed nothing. */
const NO_SHARDS: ReplyObject = { total: 0, successful: 0, failed: 0 };

/** What a run of results has in common. */
interface Shape {
  readonly action: string | undefined;
  readonly index: string;
  readonly type: string;
  readonly result: WriteResult['result'];
  /** Replicas are a setting, which may change: an index that is changed in any way is another object. */
  readonly info: ReturnType<Engine['indices']['info']>;
  /** The bytes before the id, between id and version, between version and sequence number, and behind that. */
  readonly pieces: readonly Buffer[];
  /** How many of the last bytes stand behind a `get` member. */
  readonly endBytes: number;
}

/** Writes results of one request behind each other. */
export class ResultWriter {
  readonly out: JsonWriter;
  readonly #engine: Engine;
  readonly #forced: boolean;
  /** Of the last result. */
  #shape: Shape | undefined;
  /** Of those before it, the newest last. */
  readonly #shapes: Shape[] = [];

  /** `forced`: the request made its writes visible by `refresh=true`. */
  constructor(engine: Engine, forced: boolean, out: JsonWriter) {
    this.#engine = engine;
    this.#forced = forced;
    this.out = out;
  }

  /**
   * A write that was carried out: as an item of a bulk, with its status, where it has an action; else as the object that answers a
   * single write. `get` is the document that an update returns.
   */
  put(action: string | undefined, result: WriteResult, get?: ReplyObject): void {
    const { out } = this;
    const { pieces, endBytes } = this.#shapeOf(action, result);
    this.#piece(pieces[0]!);
    putCharacters(result.id, out);
    this.#piece(pieces[1]!);
    out.integer(result.version);
    this.#piece(pieces[2]!);
    out.integer(result.seqNo);
    const last = pieces[3]!;
    if (get === undefined) {
      this.#piece(last);
      return;
    }
    const end = last.length - endBytes;
    out.range(last, 0, end);
    out.ascii(',"get":');
    out.raw(printReply(get));
    out.range(last, end, last.length);
  }

  #shapeOf(action: string | undefined, result: WriteResult): Shape {
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

  #newShape(action: string | undefined, written: WriteResult, info: Shape['info']): Shape {
    const { index, type, result } = written;
    const isNoop = action === undefined && result === 'noop';
    const typed = type === '_doc' ? '' : `"_type":${JSON.stringify(type)},`;
    const forced = this.#forced && !isNoop ? '"forced_refresh":true,' : '';
    const shards = printReply(isNoop ? NO_SHARDS : writeShards(info)).toString();
    const start = action === undefined ? '{' : `{"${action}":{`;
    const end = action === undefined ? '}' : `,"status":${writeStatus(written)}}}`;
    const text =
      `${start}"_index":${JSON.stringify(index)},${typed}"_id":"${GAP}","_version":${GAP},"result":"${result}",` +
      `${forced}"_shards":${shards},"_seq_no":${GAP},"_primary_term":1${end}`;
    const pieces = text.split(GAP).map((piece) => Buffer.from(piece, 'utf8'));
    return { action, index, type, result, info, pieces, endBytes: end.length };
  }

  #piece(piece: Buffer): void {
    if (piece.length > FEW) this.out.raw(piece);
    else this.out.short(piece, 0, piece.length);
  }
}

/** The status of a write that was carried out: 201, 404 or 200. */
export function writeStatus({ result }: Pick<WriteResult, 'result'>): number {
  return result === 'created' ? 201 : result === 'not_found' ? 404 : 200;
}

/** Writes a text as JSON has it between its quotes. Most ids are characters that stand there as they are. */
function putCharacters(text: string, out: JsonWriter): void {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 32 || c > 126 || c === QUOTE || c === BACKSLASH) {
      out.text(JSON.stringify(text).slice(1, -1));
      return;
    }
  }
  out.ascii(text);
}

function fits(
  shape: Shape,
  action: string | undefined,
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
