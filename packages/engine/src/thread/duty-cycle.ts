// Makes a background thread rest for a moment after every 0.1 ms of work while there are searches. Otherwise,
// if all cores are busy, the serving thread has to wait for the scheduler: a thread that has just got a core
// keeps it for a slice, often until the next tick of the system clock (4 ms on most systems), whatever its
// priority. The serving thread announces searches in a shared word (`lastRead` in turn.ts).

/** Work between two rests, in milliseconds. */
const WORK_MS = 0.1;
/** The shortest sleep: any sleep gives the core up. Linux rounds it up to about 60 µs. */
const REST_MS = 0.01;

/** What it needs of the system. */
interface DutyCycleEnvironment {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => void;
}

/** The duty cycle of one thread. */
export class DutyCycle {
  readonly #isSearched: () => boolean;
  readonly #env: DutyCycleEnvironment;
  #end: number;

  /** `isSearched` is asked when a rest is due. */
  constructor(isSearched: () => boolean, env: DutyCycleEnvironment = SYSTEM) {
    this.#isSearched = isSearched;
    this.#env = env;
    this.#end = env.now() + WORK_MS;
  }

  /** To be called between short steps of work; cheap if no rest is due. */
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

const sleepWord = new Int32Array(new SharedArrayBuffer(4));

const SYSTEM: DutyCycleEnvironment = {
  now: () => performance.now(),
  sleep: (milliseconds) => void Atomics.wait(sleepWord, 0, 0, milliseconds),
};
