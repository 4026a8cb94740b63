// Content negotiation of the application API (RFC 9110, 12.5.1), by negotiator.

import Negotiator from 'negotiator';

/** Every type has one form here, so what a range says beside its weight (a charset, a version) excludes nothing. */
const PARAMETER = /;(?!\s*q\s*=)[^,;]*/gi;

/** True where one of the produced media types is acceptable: no range, or the most specific one, gives it weight zero. */
export function accepts(header: string | undefined, produced: readonly string[]): boolean {
  if (header === undefined || header.trim() === '' || header.trim() === '*/*') return true;
  const accept = header.replace(PARAMETER, '');
  return new Negotiator({ headers: { accept } }).mediaType(produced) !== undefined;
}
