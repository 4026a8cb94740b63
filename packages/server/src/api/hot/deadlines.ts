// Which of many has run out of time? All have the same time, so they run out in the order in which they began: a list and one
// timer, where a timer for each would cost as much as a small answer.

/** One that began. */
export interface Deadline {
  /** It is over. False where it was before, by this or by its time. */
  end(): boolean;
}

/** Who hears that its time is over. */
export interface Late {
  late(): void;
}

/** Those that run, the oldest first. */
export class Deadlines {
  readonly #milliseconds: number;
  /** Stands before the first and behind the last. */
  readonly #ring = new Link({ late: () => {} }, 0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Each may take so long. */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** `running` is told once it has run out of time, unless it has ended. */
  start(running: Late): Deadline {
    const link = new Link(running, performance.now() + this.#milliseconds);
    link.insertBefore(this.#ring);
    if (this.#timer === undefined) this.#wait(this.#milliseconds);
    return link;
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#ring.next; first !== this.#ring; first = this.#ring.next) {
      if (first.at > now) {
        this.#wait(Math.ceil(first.at - now));
        return;
      }
      // What it does may end it; else it does not stay.
      first.running.late();
      first.end();
    }
  }
}

class Link implements Deadline {
  readonly running: Late;
  readonly at: number;
  next: Link = this;
  #previous: Link = this;

  constructor(running: Late, at: number) {
    this.running = running;
    this.at = at;
  }

  insertBefore(other: Link): void {
    this.next = other;
    this.#previous = other.#previous;
    other.#previous.next = this;
    other.#previous = this;
  }

  end(): boolean {
    if (this.next === this) return false;
    this.#previous.next = this.next;
    this.next.#previous = this.#previous;
    this.next = this;
    this.#previous = this;
    return true;
  }
}
