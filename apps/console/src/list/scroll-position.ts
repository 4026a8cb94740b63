// The position of a long list in its scroll container: the scrollbar (coarse in a long list), wheel, touch and keys move it; the caller
// draws what it shows. One frame draws once, whatever has happened since the last.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type ScrollScale, scrollScale } from './scroll-scale.ts';

/** A scroll event this near to the position that was set comes from setting it. */
const OWN_PIXELS = 1.5;
const LINE_PIXELS = 32;
/** What is left of the speed of a flick after a millisecond. */
const FRICTION = 0.997;

export interface ScrollPosition {
  readonly scale: ScrollScale;
  readonly viewHeight: number;
  /** The position in pixels of the full height. */
  readonly top: () => number;
  readonly moveTo: (top: number) => void;
  /** Draws in the next frame. */
  readonly redraw: () => void;
}

interface ScrollOptions {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly rows: number;
  readonly rowHeight: number;
  /** The height of what stays at the top of the container. */
  readonly headHeight: number;
  readonly initialRow: number;
  /** Draws a position. Returns true if another frame is needed. */
  readonly draw: (top: number, viewHeight: number, moved: number) => boolean;
}

export function useScrollPosition(options: ScrollOptions): ScrollPosition {
  const { container, rows, rowHeight, headHeight } = options;
  const [viewHeight, setViewHeight] = useState(0);
  const scale = useMemo(() => scrollScale(rows, rowHeight, viewHeight), [rows, rowHeight, viewHeight]);
  const state = useRef({ top: options.initialRow * rowHeight, drawn: 0, set: -1, frame: 0 });
  const latest = useRef({ draw: options.draw, viewHeight });
  latest.current = { draw: options.draw, viewHeight };

  const redraw = useCallback(() => {
    const now = state.current;
    now.frame ||= requestAnimationFrame(() => {
      now.frame = 0;
      const moved = now.top - now.drawn;
      now.drawn = now.top;
      const { draw, viewHeight } = latest.current;
      if (draw(now.top, viewHeight, moved)) redraw();
    });
  }, []);

  const moveTo = useCallback(
    (top: number) => {
      const now = state.current;
      now.top = Math.max(0, Math.min(top, scale.maxTop));
      const element = container.current;
      if (element !== null) {
        element.scrollTop = scale.scrollOf(now.top);
        // As the browser has rounded it.
        now.set = element.scrollTop;
      }
      redraw();
    },
    [scale, container, redraw],
  );

  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    const measure = (): void => setViewHeight(Math.max(0, element.clientHeight - headHeight));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container, headHeight]);

  // The list or the view has another height: the same rows stay at the top.
  useLayoutEffect(() => {
    if (viewHeight > 0 && rows > 0) moveTo(state.current.top);
  }, [viewHeight, rows, moveTo]);

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const now = state.current;
    const onScroll = (): void => {
      if (Math.abs(element.scrollTop - now.set) < OWN_PIXELS && scale.isCoarse) return;
      now.set = -1;
      now.top = scale.topOf(element.scrollTop);
      redraw();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const release = scale.isCoarse ? moveFinely(element, () => now.top, moveTo) : undefined;
    return () => {
      element.removeEventListener('scroll', onScroll);
      release?.();
    };
  }, [container, scale, moveTo, redraw]);

  useEffect(
    () => () => {
      cancelAnimationFrame(state.current.frame);
      state.current.frame = 0;
    },
    [],
  );
  return { scale, viewHeight, top: () => state.current.top, moveTo, redraw };
}

/** Wheel and touch in a list whose scrollbar is coarse: a pixel of the hand is a pixel of the list. */
function moveFinely(element: HTMLElement, top: () => number, moveTo: (top: number) => void): () => void {
  const onWheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE_PIXELS : event.deltaMode === 2 ? element.clientHeight : 1;
    moveTo(top() + event.deltaY * unit);
  };
  let last: { x: number; y: number; at: number } | undefined;
  let speed = 0;
  let flick = 0;
  const onStart = (event: TouchEvent): void => {
    cancelAnimationFrame(flick);
    const touch = event.touches[0];
    speed = 0;
    last =
      event.touches.length === 1 && touch
        ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp }
        : undefined;
  };
  const onMove = (event: TouchEvent): void => {
    const touch = event.touches[0];
    if (last === undefined || touch === undefined) return;
    event.preventDefault();
    const [dx, dy] = [last.x - touch.clientX, last.y - touch.clientY];
    const elapsed = Math.max(1, event.timeStamp - last.at);
    speed = 0.6 * speed + 0.4 * (dy / elapsed);
    last = { x: touch.clientX, y: touch.clientY, at: event.timeStamp };
    element.scrollLeft += dx;
    moveTo(top() + dy);
  };
  const onEnd = (): void => {
    last = undefined;
    let at = performance.now();
    const glide = (now: number): void => {
      const elapsed = now - at;
      at = now;
      moveTo(top() + speed * elapsed);
      speed *= FRICTION ** elapsed;
      if (Math.abs(speed) > 0.02) flick = requestAnimationFrame(glide);
    };
    if (Math.abs(speed) > 0.1) flick = requestAnimationFrame(glide);
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  element.addEventListener('touchstart', onStart, { passive: true });
  element.addEventListener('touchmove', onMove, { passive: false });
  element.addEventListener('touchend', onEnd, { passive: true });
  return () => {
    cancelAnimationFrame(flick);
    element.removeEventListener('wheel', onWheel);
    element.removeEventListener('touchstart', onStart);
    element.removeEventListener('touchmove', onMove);
    element.removeEventListener('touchend', onEnd);
  };
}
