// May this address be followed? Only what can do no more than open a page or a letter.

// No control characters, spaces or invisible marks anywhere: browsers drop some of them before they read the scheme.
const SAFE = /^(?:https?:\/\/[^/\\?#]|mailto:[^/\\])/i;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}]/u;

/** The address if it may be live (absolute http, https or mailto, nothing invisible in it), else undefined. O(n). */
export function safeHref(href: string | undefined): string | undefined {
  return href !== undefined && SAFE.test(href) && !HIDDEN.test(href) ? href : undefined;
}
