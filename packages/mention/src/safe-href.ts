// Decides whether an address may become a live link: only web pages and mail addresses.

// Browsers drop some control characters, spaces and invisible marks before they read the scheme.
const SAFE = /^(?:https?:\/\/[^/\\?#]|mailto:[^/\\])/i;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}]/u;

/** The address if it is absolute http, https or mailto without invisible characters; otherwise undefined. O(n). */
export function safeHref(href: string | undefined): string | undefined {
  return href !== undefined && SAFE.test(href) && !HIDDEN.test(href) ? href : undefined;
}
