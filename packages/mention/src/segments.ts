// How does a renderer walk content? As a row of pieces, each plain or with its entity, that together are the text.

import type { Content, Entity } from './content.ts';
import { safeHref } from './links.ts';
import { normalizeContent } from './print.ts';
import { convertUnit } from './units.ts';

/** A piece of text, and what it stands for if it stands for anything. Never empty. */
export interface Segment {
  readonly text: string;
  readonly entity?: Entity;
}

/** The pieces of content in order; faulty entities are left out as `normalizeContent` does. O(n + k log k). */
export function segmentsOf(content: Content): Segment[] {
  const normal = normalizeContent(content);
  const { text, entities } = convertUnit(normal, 'utf16');
  const segments: Segment[] = [];
  let at = 0;
  for (const [index, { start, end }] of entities.entries()) {
    if (start > at) segments.push({ text: text.slice(at, start) });
    // The entity as the caller knows it, in the unit of the content.
    segments.push({ text: text.slice(start, end), entity: normal.entities[index]! });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at) });
  return segments;
}

/** The same for what is shown live: a link that is not safe to follow is plain text. */
export function liveSegments(content: Content): Segment[] {
  return segmentsOf(content).map((segment) => {
    const { entity, text } = segment;
    return entity?.kind === 'link' && safeHref(entity.href) === undefined ? { text } : segment;
  });
}
