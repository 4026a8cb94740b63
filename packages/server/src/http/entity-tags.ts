// Compares entity tags (RFC 9110, 8.8.3).

/** True if `If-None-Match` contains the tag (weak comparison, RFC 9110, 8.8.3.2). */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
}
