// How does content become nodes of a page? Text goes into text nodes, values into attributes, never through HTML, so
// that nothing in it can become markup.

import type { Content, Entity } from '../content.ts';
import { safeHref } from '../links.ts';
import { liveSegments } from '../segments.ts';

/** What is asked of `document`; any DOM has it. */
export interface HostDocument<TextNode, Element extends HostElement> {
  createTextNode(data: string): TextNode;
  createElement(name: string): Element;
}

/** What is asked of an element. */
export interface HostElement {
  textContent: string | null;
  setAttribute(name: string, value: string): void;
}

export interface DomOptions {
  /**
   * Where an entity leads: absolute http, https or mailto. Anything else, and undefined, leads nowhere.
   * @default the `href` of links, nothing for others
   */
  readonly hrefOf?: (entity: Entity) => string | undefined;
}

/**
 * Nodes for content, in order: a text node for plain text, `<a>` for entities that lead somewhere, `<span>` for others.
 * Elements carry `data-kind`, `data-username`, `data-id`, and `dir="auto"`, which keeps the direction of a name from
 * turning the text around it. Links that are not safe to follow are plain text. O(n + k log k).
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

/** Puts content into an element in place of what is there. */
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
