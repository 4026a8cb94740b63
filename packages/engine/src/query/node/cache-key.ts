// Cache keys of filters: texts that are equal exactly where the matches must be. Lengths stand before
// strings, so that no value can be taken for syntax.

/** A string, unambiguous next to others. */
export function textKey(text: string): string {
  return `${text.length}:${text}`;
}

/** A field and a term of it. */
export function byteKey(path: string, bytes: Uint8Array): string {
  return `(${textKey(path)}=${bytes.length}:${Buffer.from(bytes).toString('latin1')})`;
}
