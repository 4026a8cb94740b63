// Decides whether an address may become a live link: only web pages, mail addresses, and places of the same site.

// Browsers drop some control characters, spaces and invisible marks before they read the scheme.
const SAFE = /^(?:https?:\/\/[^/\\?#]|mailto:[^/\\]|\.{0,2}\/(?![/\\])|[?#])/i;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * The address if it is absolute http, https or mailto, or relative and begins with `/`, `./`, `../`, `?` or `#`, without invisible
 * characters; otherwise undefined. O(n).
 */
export function safeHref(href: string | undefined): string | undefined {
  return href !== undefined && SAFE.test(href) && !HIDDEN.test(href) ? href : undefined;
}
