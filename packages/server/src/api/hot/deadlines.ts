// Which of many has run out of time? All have the same time, so they run out in the order in which they began: a list and one
// timer, where a timer for each would cost as much as a small answer.

/** One that began. */
export interface Deadline {
  /** It is over. False where it was before, by this or by its time. */
  end(): boolean;
}

/** Those that run, the oldest first. */
export class Deadlines {
  readonly #milliseconds: number;
  /** Stands before the first and behind the last. */
  readonly #ring = new Link(() => {}, 0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Each may take so long. */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** `late` is called once it has run out of time, unless it has ended. */
  start(late: () => void): Deadline {
    const link = new Link(late, performance.now() + this.#milliseconds);
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
      first.late();
      first.end();
    }
  }
}

class Link implements Deadline {
  readonly late: () => void;
  readonly at: number;
  next: Link = this;
  #previous: Link = this;

  constructor(late: () => void, at: number) {
    this.late = late;
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
