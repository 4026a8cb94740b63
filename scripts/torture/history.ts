// What clients asked of a server and what they were told, and whether a data directory agrees with it.
//
// Each thing that changes (a document, a post, a transfer, an index, the first key) has a line of its own, whose steps follow one
// another. At a time T it may be in the state of the last step that was acknowledged before T, or of any later step that had been
// sent: nothing older, and nothing else.

/** One step. Times are nanoseconds of the monotonic clock. */
interface Step {
  readonly sent: bigint;
  /** What the thing is after the step; undefined is absent. */
  readonly state: string | undefined;
  answered: bigint | undefined;
  /** Acknowledged, refused (nothing has happened), or neither is known. */
  outcome: 'acknowledged' | 'refused' | 'unknown';
}

/** A step that was sent and not answered yet. */
export type Sent = Step;

/** What is in a data directory: the state of each thing that is there. */
export type Observed = ReadonlyMap<string, string>;

export class History {
  readonly #lines = new Map<string, Step[]>();

  /** Notes that a step is sent. */
  send(thing: string, state: string | undefined): Sent {
    const step: Step = { sent: process.hrtime.bigint(), state, answered: undefined, outcome: 'unknown' };
    const line = this.#lines.get(thing);
    if (line === undefined) this.#lines.set(thing, [step]);
    else line.push(step);
    return step;
  }

  /** Notes the answer. Only 2xx acknowledges; 4xx and 507 say that nothing has happened. */
  answer(step: Sent, status: number): void {
    step.answered = process.hrtime.bigint();
    if (status >= 200 && status < 300) step.outcome = 'acknowledged';
    else if ((status >= 400 && status < 500) || status === 507) step.outcome = 'refused';
  }

  /** Steps that were acknowledged before `time`. */
  acknowledged(time: bigint): number {
    let count = 0;
    for (const line of this.#lines.values())
      for (const step of line) if (step.outcome === 'acknowledged' && step.answered! < time) count++;
    return count;
  }

  /** What is wrong with what was observed of a directory as it was at `time`; empty where nothing is. */
  judge(observed: Observed, time: bigint = 1n << 62n): string[] {
    const wrong: string[] = [];
    for (const [thing, line] of this.#lines) {
      const allowed = statesAt(line, time);
      const state = observed.get(thing);
      if (allowed.has(state)) continue;
      const names = [...allowed].map((each) => each ?? 'absent');
      wrong.push(`${thing} is ${state ?? 'absent'} and not ${names.join(' or ')}`);
    }
    for (const [thing, state] of observed)
      if (!this.#lines.has(thing)) wrong.push(`${thing} is ${state}, which nobody has sent`);
    return wrong;
  }

  /** What was observed that nobody ever sent: not an earlier state, but damage. */
  neverSent(observed: Observed): string[] {
    const found: string[] = [];
    for (const [thing, state] of observed)
      if (this.#lines.get(thing)?.some((step) => step.state === state) !== true) found.push(thing);
    return found;
  }
}

function statesAt(line: readonly Step[], time: bigint): Set<string | undefined> {
  let allowed = new Set<string | undefined>([undefined]);
  for (const { sent, state, answered, outcome } of line) {
    if (sent >= time) break;
    const isAnswered = answered !== undefined && answered < time;
    if (isAnswered && outcome === 'refused') continue;
    if (isAnswered && outcome === 'acknowledged') allowed = new Set([state]);
    else allowed.add(state);
  }
  return allowed;
}
