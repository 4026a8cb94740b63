// Content negotiation of the API (RFC 9110, 12.5.1) by negotiator.

import Negotiator from 'negotiator';

/** Each type has one form here, so parameters other than the weight exclude nothing. */
const PARAMETER = /;(?!\s*q\s*=)[^,;]*/gi;

/** True if a produced media type is acceptable: no range, or the most specific one, gives it weight zero. */
export function accepts(header: string | undefined, produced: readonly string[]): boolean {
  if (header === undefined || header.trim() === '' || header.trim() === '*/*') return true;
  const accept = header.replace(PARAMETER, '');
  return new Negotiator({ headers: { accept } }).mediaType(produced) !== undefined;
}
