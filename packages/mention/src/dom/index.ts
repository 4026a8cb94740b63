// Renders content as DOM nodes. Text becomes text nodes and values become attributes, never HTML, so nothing
// in the content can become markup.

import type { Content, Entity } from '../content.ts';
import { safeHref } from '../safe-href.ts';
import { liveSegments } from '../segments.ts';

/** The methods of `document` that are used. Any DOM has them. */
export interface HostDocument<TextNode, Element extends HostElement> {
  createTextNode(data: string): TextNode;
  createElement(name: string): Element;
}

/** The members of an element that are used. */
export interface HostElement {
  textContent: string | null;
  setAttribute(name: string, value: string): void;
}

export interface DomOptions {
  /**
   * The link target of an entity. Only absolute http, https and mailto addresses become links.
   * @default the `href` of links, undefined for other kinds
   */
  readonly hrefOf?: (entity: Entity) => string | undefined;
}

/**
 * The nodes of content in order: text nodes for plain text, `<a>` for entities with a link target, `<span>` for others.
 * Elements carry `data-kind`, `data-username` and `data-id`. Their `dir="auto"` keeps the direction of a name from
 * changing the direction of the text next to it. Unsafe links are plain text. O(n + k log k).
 */
export function mentionNodes<TextNode, Element extends HostElement>(
  content: Content,
  document: HostDocument<TextNode, Element>,
  options: DomOptions = {},
): (TextNode | Element)[] {
  const hrefOf = options.hrefOf ?? ((entity: Entity) => entity.href);
  return liveSegments(content).map(({ text, entity }) => {
    if (entity === undefined) return document.createTextNode(text);
    const href = safeHref(hrefOf(entity));
    const element = document.createElement(href === undefined ? 'span' : 'a');
    element.textContent = text;
    element.setAttribute('dir', 'auto');
    element.setAttribute('data-kind', entity.kind);
    if (entity.username !== undefined) element.setAttribute('data-username', entity.username);
    if (entity.id !== undefined) element.setAttribute('data-id', entity.id);
    if (href !== undefined) {
      element.setAttribute('href', href);
      element.setAttribute('rel', 'nofollow noopener noreferrer ugc');
    }
    return element;
  });
}

/** Replaces the children of an element by the nodes of content. */
export function renderMentions<TextNode, Element extends HostElement>(
  parent: {
    readonly ownerDocument: HostDocument<TextNode, Element>;
    replaceChildren(...nodes: (TextNode | Element)[]): void;
  },
  content: Content,
  options: DomOptions = {},
): void {
  parent.replaceChildren(...mentionNodes(content, parent.ownerDocument, options));
}
