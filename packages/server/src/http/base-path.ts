// The path below which everything lies. Behind it, only what prints links knows of it.

const SLASH = 47;
const QUESTION = 63;

/** `/octavo/api/x?y` as `/api/x?y`; undefined for what lies outside. `base` has no slash at its end. */
export function innerUrl(url: string, base: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  if (url.length === base.length) return '/';
  const next = url.charCodeAt(base.length);
  if (next === SLASH) return url.slice(base.length);
  return next === QUESTION ? `/${url.slice(base.length)}` : undefined;
}
