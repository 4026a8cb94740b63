// Records whether a plan used inputs that change while query, leaves, mapping and settings stay: the time, or
// the names of the index. Such a plan is not memoized. The planner records it, because a query has many ways
// to use them.

/** The volatile inputs of a plan. */
export class VolatileInputs {
  /** Whether the plan uses the current time. */
  asksNow: boolean = false;
  /** Whether the plan uses the names of the index. */
  asksNames: boolean = false;

  /** Adds the inputs of another plan of the same search. */
  add({ asksNow, asksNames }: VolatileInputs): void {
    this.asksNow ||= asksNow;
    this.asksNames ||= asksNames;
  }
}
