// Is a plan the same tomorrow? Not where planning has asked what passes while query, leaves, mapping and settings stay: what time
// it is, or how the index is called. Planning itself says so, because a query has many ways to ask.

/** What a plan has asked for. */
export class VolatileInputs {
  /** It is one of the moment that it was made for. */
  asksNow: boolean = false;
  /** It is one of the names that the index had. */
  asksNames: boolean = false;

  /** Takes up what another plan, of the same search, has asked for. */
  add({ asksNow, asksNames }: VolatileInputs): void {
    this.asksNow ||= asksNow;
    this.asksNames ||= asksNames;
  }
}
