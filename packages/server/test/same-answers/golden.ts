// The recorded answers: one text file for each area, an entry for each request, readable as a diff.
//
//   === POST /books/_search {"size":1}      the request, cut where it is long
//   200                                     status, then headers that are not the usual ones
//   vary: accept-encoding
//
//   {"took":0,…}                            the body as it came, with names for what varies
//   --- after the commit                    only where that is another answer

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from './request.ts';

/** When a request is asked: what is recorded of a later state is only what differs from the first. */
const STATES = ['at first', 'after the commit'] as const;

export type State = (typeof STATES)[number];

interface Entry {
  readonly title: string;
  readonly answers: Map<State, string>;
}

const FOLDER = join(import.meta.dirname, 'golden');
const LONGEST_TITLE = 300;
const ENTRY = '=== ';
const LATER = '--- ';

/** The answers of one area. */
export class Golden {
  readonly #path: string;
  readonly #entries: Entry[] = [];

  private constructor(area: string) {
    this.#path = join(FOLDER, `${area}.txt`);
  }

  /** What was recorded. */
  static read(area: string): Golden {
    const golden = new Golden(area);
    const text = existsSync(golden.#path) ? readFileSync(golden.#path, 'utf8') : '';
    let answers: Map<State, string> | undefined;
    let state: State = STATES[0];
    let answer: string[] = [];
    const flush = (): void => void answers?.set(state, answer.join('\n'));
    for (const line of text.slice(0, -1).split('\n')) {
      if (!line.startsWith(ENTRY) && !line.startsWith(LATER)) {
        answer.push(line);
        continue;
      }
      flush();
      answer = [];
      if (line.startsWith(ENTRY)) {
        answers = new Map();
        state = STATES[0];
        golden.#entries.push({ title: line.slice(ENTRY.length), answers });
      } else state = line.slice(LATER.length) as State;
    }
    flush();
    return golden;
  }

  /** Nothing recorded yet. */
  static empty(area: string): Golden {
    return new Golden(area);
  }

  /** The answer to the request at a place. Throws where another one was recorded there. */
  answer(place: number, request: Request, state: State): string {
    const entry = this.#entries[place];
    const title = titleOf(request);
    assert.equal(entry?.title, title, 'the corpus is not the one that was recorded: run record.ts');
    return entry.answers.get(state) ?? entry.answers.get(STATES[0])!;
  }

  record(place: number, request: Request, state: State, answer: string): void {
    const lines = answer.split('\n');
    assert.ok(!lines.some((line) => line.startsWith(ENTRY) || line.startsWith(LATER)), answer);
    const entry = (this.#entries[place] ??= { title: titleOf(request), answers: new Map() });
    if (answer !== entry.answers.get(STATES[0])) entry.answers.set(state, answer);
  }

  write(): void {
    const text = this.#entries.flatMap(({ title, answers }) =>
      [...answers].flatMap(([state, answer]) => [
        state === STATES[0] ? ENTRY + title : LATER + state,
        ...answer.split('\n'),
      ]),
    );
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(this.#path, `${text.join('\n')}\n`);
  }
}

const titles = new WeakMap<Request, string>();

function titleOf(request: Request): string {
  let title = titles.get(request);
  if (title === undefined) titles.set(request, (title = printedTitle(request)));
  return title;
}

/** On one line, whatever is sent. */
function printedTitle({ method, target, headers = {}, body = '' }: Request): string {
  const shown = Object.entries(headers).map(([name, value]) => ` [${name}: ${value}]`);
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : body;
  const cut = text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE)}… (${text.length})`;
  return printable(`${method} ${target}${shown.join('')} ${cut}`.trimEnd());
}

function printable(text: string): string {
  return text
    .replaceAll(/[^ -~]/g, (sign) => JSON.stringify(sign).slice(1, -1))
    .replaceAll(/[^ -~]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}
