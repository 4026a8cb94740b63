// Counts how often the orders of an index are used. Orders that are in use are worth merging
// (sorted/order-merging.ts).

/** Uses of an order before its runs are merged, and between two looks at whether they should be. */
export const HOT = 8;

/** Uses by index and order. */
export class OrderHeat {
  readonly #uses = new Map<string, number>();

  /** Counts one to HOT more uses. True each time another HOT uses are complete. */
  add(key: string, times: number): boolean {
    const uses = (this.#uses.get(key) ?? 0) + times;
    if (this.#uses.size > 10_000) this.#uses.clear();
    this.#uses.set(key, uses);
    return uses % HOT < times;
  }

  /** Keeps an order from ever being hot again: there is no room for its merged form. */
  stop(key: string): void {
    this.#uses.set(key, Number.NEGATIVE_INFINITY);
  }
}
