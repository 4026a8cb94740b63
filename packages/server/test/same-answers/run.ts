// Sends a server all requests of the corpus at every relevant moment, and hands on each answer.
//
//   lists     requests in any order: for the first time, again, with another position of the same list
//             between, in another spelling; after a commit; after a start
//   scripts   requests that depend on earlier answers, in order: for the first time, again, after a commit,
//             after a start
//   writes    the same, into new indices each time

import type { Carried } from './carriers.ts';
import { AREAS, type Area, COMMIT, SETUP } from './corpus/areas.ts';
import type { State } from './golden.ts';
import { masked, Names } from './masks.ts';
import { type Request, respelled } from './request.ts';

/** Where an answer belongs. */
export interface Asked {
  readonly area: Area;
  /** Of the request in its area. */
  readonly place: number;
  readonly request: Request;
  readonly state: State;
  readonly moment: string;
}

type Take = (asked: Asked, answer: string) => void;

/** Draws numbers from 0 to `below`, without that. */
type Draw = (below: number) => number;

/** What stands for the names of indices that a script writes into. */
const OWN = '$own';

interface RunOptions {
  readonly take: Take;
  /** `once`: each request in each state, for records. `some`: and again at moments that are drawn. */
  readonly moments: 'once' | 'some' | 'all';
  readonly draw: Draw;
}

/** Of `some`: one list in so many is asked again at a moment. */
const ONE_IN = 4;

/** One server, from its first request to its end. */
export async function run(carried: Carried, options: RunOptions): Promise<void> {
  const runner = new Runner(carried, options);
  await runner.prepare(SETUP);
  await runner.reads('at first', 'at first');
  await runner.prepare(COMMIT);
  await runner.reads('after the commit', 'after the commit');
  await runner.writes('at first');
  if (options.moments === 'once') return;
  await runner.writes('again');
  await carried.restart();
  await runner.reads('after the commit', 'after a start');
  await runner.writes('after a start');
}

class Runner {
  readonly #carried: Carried;
  readonly #options: RunOptions;
  #rounds = 0;

  constructor(carried: Carried, options: RunOptions) {
    this.#carried = carried;
    this.#options = options;
  }

  /** Requests that have to be done. */
  async prepare(requests: readonly Request[]): Promise<void> {
    for (const request of requests) {
      const { status, body } = await this.#carried.ask(request);
      const text = String(body);
      if (status >= 300 || text.includes('"errors":true'))
        throw new Error(`${request.method} ${request.target}: ${status} ${text.slice(0, 1_000)}`);
    }
  }

  async reads(state: State, moment: string): Promise<void> {
    for (const area of AREAS) {
      if (area.kind === 'lists') await this.#lists(area, state, moment);
      if (area.kind === 'scripts') {
        await this.#scripts(area, state, moment);
        if (this.#options.moments !== 'once') await this.#scripts(area, state, `${moment}, again`);
      }
    }
  }

  async writes(moment: string): Promise<void> {
    const own = `own${++this.#rounds}`;
    for (const area of AREAS) if (area.kind === 'writes') await this.#scripts(area, 'at first', moment, own);
  }

  async #lists(area: Area, state: State, moment: string): Promise<void> {
    let place = 0;
    for (const list of area.scripts) {
      const from = place;
      const ask = async (
        when: string,
        how: (request: Request) => Request | undefined = same,
      ): Promise<void> => {
        for (const [i, request] of list.entries()) {
          const asked = how(request);
          if (asked !== undefined) await this.#ask(area, from + i, request, asked, state, moment + when);
        }
      };
      place += list.length;
      await ask('');
      if (this.#isDue()) await ask(', again');
      if (this.#isDue())
        await ask(', spelled anew', (request) => respelled(request, 1 + this.#options.draw(9)));
      if (this.#isDue()) await ask(', as before');
      if (area.isOften !== true || !this.#isDue()) continue;
      for (let time = 2; time <= 10; time++) await ask(`, ${time} times`);
      for (let time = 2; time <= 10; time++)
        await ask(`, spelled anew, ${time} times`, (request) => respelled(request, 10 + time));
    }
  }

  /** Whether a list is asked at one more moment. */
  #isDue(): boolean {
    const { moments, draw } = this.#options;
    return moments === 'all' || (moments === 'some' && draw(ONE_IN) === 0);
  }

  async #scripts(area: Area, state: State, moment: string, own = ''): Promise<void> {
    let place = 0;
    for (const script of area.scripts) {
      const names = new Names();
      for (const request of script) {
        const { target, body } = request;
        const filled = (text: string): string => names.filled(text).replaceAll(OWN, own);
        const asked = {
          ...request,
          target: filled(target),
          body: typeof body === 'string' ? filled(body) : body,
        };
        await this.#ask(area, place++, request, asked, state, moment, names, own);
      }
    }
  }

  async #ask(
    area: Area,
    place: number,
    request: Request,
    asked: Request,
    state: State,
    moment: string,
    names: Names = new Names(),
    own = '',
  ): Promise<void> {
    const answer = masked(asked, await this.#carried.ask(asked), names);
    this.#options.take(
      { area, place, request, state, moment },
      own === '' ? answer : answer.replaceAll(own, OWN),
    );
  }
}

function same(request: Request): Request {
  return request;
}
