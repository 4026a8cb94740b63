// The pages of a list that are here, and the requests for those that are not. At most two requests start in an animation frame; a request
// for a page that has left the view is cancelled; the pages used last stay, up to a bound.

/** Rows of one request. A view of usual height lies in two pages at most. */
export const PAGE_ROWS = 64;

const REQUESTS_PER_FRAME = 2;
const MOST_PAGES = 160;

/** One page of hits, by number. */
type LoadPage<Row> = (page: number, signal: AbortSignal) => Promise<readonly Row[]>;

export class PageStore<Row> {
  readonly #load: LoadPage<Row>;
  readonly #onChange: () => void;
  readonly #onError: (error: unknown) => void;
  /** In the order of their last use. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #requests = new Map<number, AbortController>();
  #failed = false;

  constructor(load: LoadPage<Row>, onChange: () => void, onError: (error: unknown) => void) {
    this.#load = load;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** The row of a rank; undefined if its page is not here. */
  row(rank: number): Row | undefined {
    return this.#pages.get(Math.floor(rank / PAGE_ROWS))?.[rank % PAGE_ROWS];
  }

  /**
   * Asks for the pages of a range of ranks; to be called once in a frame. `ahead` (pages, negative for backwards) is fetched if nothing
   * in the range is missing. Returns true if another frame has to ask for the rest.
   */
  want(first: number, end: number, rows: number, ahead: number): boolean {
    if (this.#failed || rows === 0) return false;
    const last = Math.floor((rows - 1) / PAGE_ROWS);
    const from = Math.min(Math.floor(first / PAGE_ROWS), last);
    const to = Math.min(Math.floor(Math.max(first, end - 1) / PAGE_ROWS), last);
    const wanted: number[] = [];
    for (let page = from; page <= to; page++) wanted.push(page);
    const next = ahead < 0 ? from - 1 : to + 1;
    const near = new Set([...wanted, from - 1, to + 1]);
    for (const [page, request] of this.#requests) {
      if (near.has(page)) continue;
      this.#requests.delete(page);
      request.abort();
    }
    let started = 0;
    for (const page of wanted) {
      const rowsOfPage = this.#pages.get(page);
      if (rowsOfPage !== undefined) {
        this.#pages.delete(page);
        this.#pages.set(page, rowsOfPage);
      } else if (!this.#requests.has(page)) {
        if (started === REQUESTS_PER_FRAME) return true;
        this.#start(page);
        started++;
      }
    }
    const isComplete = this.#requests.size === 0;
    if (ahead !== 0 && isComplete && next >= 0 && next <= last && !this.#pages.has(next)) this.#start(next);
    return false;
  }

  #start(page: number): void {
    const request = new AbortController();
    this.#requests.set(page, request);
    this.#load(page, request.signal).then(
      (rows) => {
        if (this.#requests.get(page) !== request) return;
        this.#requests.delete(page);
        this.#pages.set(page, rows);
        for (const oldest of this.#pages.keys()) {
          if (this.#pages.size <= MOST_PAGES) break;
          this.#pages.delete(oldest);
        }
        this.#onChange();
      },
      (error: unknown) => {
        if (this.#requests.get(page) !== request) return;
        this.#requests.delete(page);
        this.#failed = true;
        this.#onError(error);
      },
    );
  }

  /** Cancels all requests. */
  close(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }
}
