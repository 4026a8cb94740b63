// Renders content in React and React Native with the caller's components. Without a component a piece is a
// bare string, so it works inside any text element of any host.

import { type ComponentType, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import type { Content, Entity } from '../content.ts';
import { safeHref } from '../safe-href.ts';
import { liveSegments } from '../segments.ts';

/** The props of a component for an entity. */
export interface MentionProps {
  readonly entity: Entity;
  /** The address of a link, checked to be absolute http, https or mailto. */
  readonly href?: string;
  /** The text that a reader sees. */
  readonly children: string;
}

/** The props of a component for plain text. */
export interface PlainTextProps {
  readonly children: string;
}

/** One component per kind of piece. A name such as `'b'` is an element of the host, which gets only the text. */
export interface MentionComponents {
  readonly user?: ComponentType<MentionProps> | string;
  readonly topic?: ComponentType<MentionProps> | string;
  readonly entity?: ComponentType<MentionProps> | string;
  readonly link?: ComponentType<MentionProps> | string;
  readonly text?: ComponentType<PlainTextProps> | string;
}

export interface MentionTextProps {
  /** An object with text, entities and unit, such as an item of a feed or a message of a chat. */
  readonly item: Content;
  readonly components?: MentionComponents;
}

/**
 * Content as React nodes. The only elements are those of `components`. Unsafe links are plain text. In React Native, place
 * it inside a `<Text>`.
 */
export function MentionText({ item, components = {} }: MentionTextProps): ReactElement {
  return createElement(Fragment, null, ...mentionChildren(item, components));
}

/** The nodes of `MentionText` as an array; elements have keys. O(n + k log k). */
export function mentionChildren(content: Content, components: MentionComponents = {}): ReactNode[] {
  return liveSegments(content).map(({ text, entity }, key) => {
    if (entity === undefined) {
      const props: PlainTextProps = { children: text };
      return components.text === undefined ? text : createElement(components.text, { key, ...props });
    }
    const component = components[entity.kind];
    if (component === undefined) return text;
    if (typeof component === 'string') return createElement(component, { key }, text);
    const href = entity.kind === 'link' ? safeHref(entity.href) : undefined;
    const props: MentionProps = { entity, children: text, ...(href === undefined ? {} : { href }) };
    return createElement(component, { key, ...props });
  });
}
