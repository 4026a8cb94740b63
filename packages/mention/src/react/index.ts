// How does React show content, on the web and in React Native? With the components that the caller gives; where none is
// given, as bare strings, so that it works inside any text element of any host.

import { type ComponentType, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import type { Content, Entity } from '../content.ts';
import { safeHref } from '../links.ts';
import { liveSegments } from '../segments.ts';

/** What a component for an entity gets. */
export interface MentionProps {
  readonly entity: Entity;
  /** Of links: the address, checked to be absolute http, https or mailto. */
  readonly href?: string;
  /** The text that a reader sees. */
  readonly children: string;
}

/** What a component for plain text gets. */
export interface PlainTextProps {
  readonly children: string;
}

/** One component for each kind of piece. A name such as `'b'` is an element of the host, which gets the text alone. */
export interface MentionComponents {
  readonly user?: ComponentType<MentionProps> | string;
  readonly topic?: ComponentType<MentionProps> | string;
  readonly entity?: ComponentType<MentionProps> | string;
  readonly link?: ComponentType<MentionProps> | string;
  readonly text?: ComponentType<PlainTextProps> | string;
}

export interface MentionTextProps {
  /** What has text, entities and unit: an item of a feed, a message of a chat. */
  readonly item: Content;
  readonly components?: MentionComponents;
}

/**
 * Content as React nodes. It makes no elements but those of `components`; links that are not safe to follow are plain
 * text. In React Native it stands inside a `<Text>`.
 */
export function MentionText({ item, components = {} }: MentionTextProps): ReactElement {
  return createElement(Fragment, null, ...mentionChildren(item, components));
}

/** The same without a component: the nodes in order, elements with keys. O(n + k log k). */
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
