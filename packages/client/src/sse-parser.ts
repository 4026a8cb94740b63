// Parser of server-sent events (HTML standard, 9.2.6), fed with chunks that may end anywhere.

/** One event of a stream. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The latest id of the stream, set by this event or an earlier one. */
  readonly id: string | undefined;
}

/** Turns chunks of text into events. */
export class SseParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | undefined;
  #started = false;
  /** The reconnection time that the stream asks for, in ms. */
  retryMs: number | undefined;

  /** The events that a further chunk completes. */
  push(chunk: string): ServerSentEvent[] {
    let text = this.#rest + chunk;
    if (!this.#started && text !== '') {
      this.#started = true;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    const events: ServerSentEvent[] = [];
    let from = 0;
    for (;;) {
      const end = lineEnd(text, from);
      if (end === undefined) break;
      const event = this.#line(text.slice(from, end.at));
      if (event !== undefined) events.push(event);
      from = end.next;
    }
    this.#rest = text.slice(from);
    return events;
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const data = this.#data;
    const event = this.#event || 'message';
    this.#data = [];
    this.#event = '';
    return data.length === 0 ? undefined : { event, data: data.join('\n'), id: this.#id };
  }
}

/** The next end of a line. Undefined if uncertain: a CR at the end of the text may be the first half of a CRLF. */
function lineEnd(text: string, from: number): { at: number; next: number } | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\n') return { at, next: at + 1 };
    if (text[at] !== '\r') continue;
    if (at + 1 === text.length) return undefined;
    return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 };
  }
  return undefined;
}
