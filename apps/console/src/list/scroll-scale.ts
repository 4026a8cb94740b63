// The scroll position of a list of any length. Browsers limit the height of an element to some 16 to 33 million pixels, half a million
// rows. A longer list gets an element of limited height: its scrollbar then moves the list coarsely, in proportion, and wheel, keys and
// touch move it row by row.

/** Browsers keep well above this, with all their zoom factors. */
const MOST_PIXELS = 2_000_000;

export interface ScrollScale {
  /** The height of the scrolled element. */
  readonly spacer: number;
  /** The largest position of the list, in pixels of its full height. */
  readonly maxTop: number;
  /** True if the scrollbar is coarser than the list. */
  readonly isCoarse: boolean;
  /** The position of the scrollbar that shows a position of the list, and back. */
  readonly scrollOf: (top: number) => number;
  readonly topOf: (scroll: number) => number;
}

export function scrollScale(
  rows: number,
  rowHeight: number,
  viewHeight: number,
  mostPixels: number = MOST_PIXELS,
): ScrollScale {
  const full = rows * rowHeight;
  const spacer = Math.min(full, Math.max(mostPixels, viewHeight));
  const maxTop = Math.max(0, full - viewHeight);
  const maxScroll = Math.max(0, spacer - viewHeight);
  const isCoarse = spacer < full;
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));
  return {
    ...{ spacer, maxTop, isCoarse },
    scrollOf: (top) => (isCoarse ? (clamp(top, maxTop) / maxTop) * maxScroll : clamp(top, maxTop)),
    topOf: (scroll) => (isCoarse ? (clamp(scroll, maxScroll) / maxScroll) * maxTop : clamp(scroll, maxTop)),
  };
}

/** The rows that a position shows, the last one excluded. */
export function rowsAt(
  top: number,
  rows: number,
  rowHeight: number,
  viewHeight: number,
): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), rows));
  return { first, end: Math.min(rows, Math.ceil((top + viewHeight) / rowHeight)) };
}
