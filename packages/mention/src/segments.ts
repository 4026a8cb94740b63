// Splits content into segments for renderers. Each segment is plain or belongs to one entity; together they
// are the text.

import type { Content, Entity } from './content.ts';
import { normalizeContent } from './print.ts';
import { safeHref } from './safe-href.ts';
import { convertUnit } from './units.ts';

/** A piece of text with its entity, if it has one. Never empty. */
export interface Segment {
  readonly text: string;
  readonly entity?: Entity;
}

/** The segments of normalized content in order. O(n + k log k). */
export function segmentsOf(content: Content): Segment[] {
  const normal = normalizeContent(content);
  const { text, entities } = convertUnit(normal, 'utf16');
  const segments: Segment[] = [];
  let at = 0;
  for (const [index, { start, end }] of entities.entries()) {
    if (start > at) segments.push({ text: text.slice(at, start) });
    // The entity in the unit of the content, as the caller passed it.
    segments.push({ text: text.slice(start, end), entity: normal.entities[index]! });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at) });
  return segments;
}

/** Segments for rendering: an unsafe link is plain text. */
export function liveSegments(content: Content): Segment[] {
  return segmentsOf(content).map((segment) => {
    const { entity, text } = segment;
    return entity?.kind === 'link' && safeHref(entity.href) === undefined ? { text } : segment;
  });
}
