// How does a thread in the background let go of its core? While there are searches it rests for a moment after every
// tenth of a millisecond of work. The thread that answers would otherwise wait, where all cores are taken, until the
// scheduler looks again: a thread that has just got a core keeps it for a slice, and often to the next tick of the system's
// clock, whatever its priority; 4 ms on most systems.

/** Work between two rests. */
const WORK_MS = 0.1;
/** The shortest there is: a thread that sleeps at all gives its core up. Timers of Linux round it up to about 60 µs. */
const REST_MS = 0.01;

/** What rests need of the system. */
export interface DutyCycleEnvironment {
  /** Milliseconds from any moment on. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => void;
}

/** Rests of one thread. */
export class DutyCycle {
  readonly #isSearched: () => boolean;
  readonly #env: DutyCycleEnvironment;
  #end: number;

  /** `isSearched`: is there a reason to rest? Asked where one is due. */
  constructor(isSearched: () => boolean, env: DutyCycleEnvironment = SYSTEM) {
    this.#isSearched = isSearched;
    this.#env = env;
    this.#end = env.now() + WORK_MS;
  }

  /** To be called between steps of work, the shorter the better; costs next to nothing where there is no reason to rest. */
  restIfDue(): void {
    if (this.#env.now() < this.#end) return;
    if (this.#isSearched()) this.#env.sleep(REST_MS);
    this.#end = this.#env.now() + WORK_MS;
  }

  /** Runs a generator to its end, resting between its steps. */
  run<T>(steps: Generator<unknown, T>): T {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      this.restIfDue();
    }
  }
}

const nobody = new Int32Array(new SharedArrayBuffer(4));

const SYSTEM: DutyCycleEnvironment = {
  now: () => performance.now(),
  sleep: (milliseconds) => void Atomics.wait(nobody, 0, 0, milliseconds),
};
