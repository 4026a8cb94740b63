// How is a field told of one document what it was told of another? By copying: of a document that differs from one that the
// tail has in a few fields, the others need not be read.

import type { ForwardField } from './forward.ts';

/** The entry that a document has in a field, -1 where it has none. */
export function entryOf(field: ForwardField, doc: number): number {
  const entry = field.entryAt(doc);
  return entry < field.docs.length && field.docs.view[entry] === doc ? entry : -1;
}

/** Opens the field for a document, and tells it what another has there, if anything. `touched` has it before there is no room. */
export function repeat(field: ForwardField, doc: number, open: number, touched: ForwardField[]): void {
  const entry = entryOf(field, doc);
  if (entry < 0) return;
  field.open(open);
  touched.push(field);
  const { tokens, distances, hi, lo, norms } = field;
  const [first, stop] = [field.tokenAt(entry), field.tokenAt(entry + 1)];
  const by = tokens.length - first;
  tokens.repeat(first, stop);
  if (field.hasPositions) {
    distances.repeat(first, stop);
    repeatFar(field, first, stop, by);
  }
  if (field.spec.column === 'numeric') {
    const [from, to] = [field.valueAt(entry), field.valueAt(entry + 1)];
    hi.repeat(from, to);
    lo.repeat(from, to);
  }
  norms.view[field.docs.length - 1] = norms.view[entry]!;
  field.kept();
}

/** The far ones among tokens [first, stop), for those that lie so much behind them. */
function repeatFar(field: ForwardField, first: number, stop: number, by: number): void {
  const { far } = field;
  const end = field.farAt(stop);
  for (let at = field.farAt(first); at < end; at += 2) {
    far.push(far.view[at]! + by);
    far.push(far.view[at + 1]!);
  }
}
