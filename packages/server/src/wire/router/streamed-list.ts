// A long reply: an object with one list, whose items are made part by part while the client reads. Between two
// parts the event loop turns, and other requests are served.

import { answerTooLarge, EngineError, Turn } from '@octavo/engine';
import type { AnswerBytes } from '../../access/limits/answer-bytes.ts';
import { PrettyPrinter } from '../../json/pretty-json.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { filterJson, type PathFilter } from '../../patterns/filter-path.ts';
import type { MaybePromise } from '../../sync-first.ts';
import { type PrintOptions, printReply } from './print-reply.ts';

/** The reply as its endpoint gives it. */
export interface StreamedList {
  /** Members before the list; empty for none. */
  readonly first: ReplyObject;
  /** The name of the list. */
  readonly name: string;
  /** The number of parts; at least one. */
  readonly count: number;
  /** JSON of the items of a part, one or more, with commas between them. Called for one part after the other. */
  readonly part: (i: number) => MaybePromise<Uint8Array>;
  /** What stands in place of a part that exceeds a limit. Without it parts are sent whatever the limits. */
  readonly refused?: (i: number, error: EngineError) => Uint8Array;
  /** Members behind the list; called when it is complete. */
  readonly last?: () => ReplyObject;
}

/** A shorter list is sent as one body, with its length. Parts are joined to chunks of at least so many bytes. */
export const CHUNK_BYTES = 65_536;

/** The bytes of a caller's reply are counted here. */
interface ListAccount {
  readonly caller: string;
  readonly inFlight: AnswerBytes;
  /** The limit of the whole reply. */
  readonly maxBytes: number;
}

const NOTHING: Uint8Array = new Uint8Array(0);
const COMMA = Buffer.from(',');

/**
 * The chunks of a reply. All but the last have at least `CHUNK_BYTES`. A chunk is counted as in flight until the next
 * one is asked for.
 */
export async function* listChunks(
  list: StreamedList,
  options: PrintOptions,
  account: ListAccount,
): AsyncGenerator<Buffer> {
  const printer = new ListPrinter(list, options);
  const turn = new Turn();
  let held: Uint8Array[] = [];
  let bytes = 0;
  let counted: number[] = [];
  let answerBytes = 0;
  /** Once a part exceeds the limit of the answer, no more are made. */
  let tooLarge: EngineError | undefined;
  const release = (): void => {
    for (const each of counted) account.inFlight.release(account.caller, each);
    counted = [];
  };
  try {
    for (let i = 0; i < list.count; i++) {
      let part: Uint8Array;
      try {
        if (tooLarge !== undefined) throw tooLarge;
        part = await list.part(i);
        if (list.refused !== undefined && answerBytes + part.length > account.maxBytes) {
          tooLarge = answerTooLarge(answerBytes + part.length, account.maxBytes);
          throw tooLarge;
        }
        count(part.length, list, account);
        counted.push(part.length);
      } catch (thrown) {
        if (list.refused === undefined || !(thrown instanceof EngineError)) throw thrown;
        part = list.refused(i, thrown);
      }
      answerBytes += part.length;
      const printed = printer.part(part);
      held.push(...printed);
      for (const each of printed) bytes += each.length;
      if (bytes >= CHUNK_BYTES) {
        yield Buffer.concat(held, bytes);
        held = [];
        bytes = 0;
        release();
      }
      if (turn.isOver()) await turn.next();
    }
    held.push(printer.end());
    yield Buffer.concat(held);
  } finally {
    release();
  }
}

function count(bytes: number, { refused }: StreamedList, { inFlight, caller }: ListAccount): void {
  if (refused === undefined) inFlight.add(caller, bytes);
  else inFlight.take(caller, bytes);
}

/** Prints a list with the general parameters. */
class ListPrinter {
  readonly #list: StreamedList;
  readonly #filter: PathFilter | undefined;
  readonly #pretty: PrettyPrinter | undefined;
  #hasMembers = false;
  #hasItems = false;

  constructor(list: StreamedList, { filter, pretty }: PrintOptions) {
    this.#list = list;
    this.#filter = filter;
    this.#pretty = pretty ? new PrettyPrinter() : undefined;
  }

  /** The bytes of a part, with what stands before it. */
  part(items: Uint8Array): readonly Uint8Array[] {
    const shown = this.#filter === undefined ? items : this.#filtered(items, this.#filter);
    if (shown.length === 0) return [];
    const before = this.#hasItems ? COMMA : Buffer.from(this.#listBegin());
    this.#hasItems = true;
    return this.#pretty === undefined
      ? [before, shown]
      : [this.#spread(this.#pretty, before), this.#spread(this.#pretty, shown)];
  }

  end(): Uint8Array {
    const last = this.#members(this.#list.last?.() ?? {});
    const begin = this.#hasItems ? ']' : this.#head();
    const end = Buffer.from(`${begin}${last === '' ? '' : `${this.#hasMembers ? ',' : ''}${last}`}}`);
    return this.#pretty === undefined ? end : Buffer.from(`${this.#spread(this.#pretty, end)}\n`);
  }

  #listBegin(): string {
    const head = this.#head();
    const comma = this.#hasMembers ? ',' : '';
    this.#hasMembers = true;
    return `${head}${comma}${JSON.stringify(this.#list.name)}:[`;
  }

  #head(): string {
    const first = this.#members(this.#list.first);
    this.#hasMembers = first !== '';
    return `{${first}`;
  }

  /** Members without the brackets around them. */
  #members(members: ReplyObject): string {
    return printReply(members, { pretty: false, filter: this.#filter }).toString().slice(1, -1);
  }

  #filtered(items: Uint8Array, filter: PathFilter): Uint8Array {
    const before = `{${JSON.stringify(this.#list.name)}:[`;
    const whole = filterJson(
      `${before}${Buffer.from(items.buffer, items.byteOffset, items.length)}]}`,
      filter,
    );
    return whole === '{}' ? NOTHING : Buffer.from(whole.slice(before.length, -2));
  }

  #spread(printer: PrettyPrinter, bytes: Uint8Array): Buffer {
    return Buffer.from(printer.print(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()));
  }
}
