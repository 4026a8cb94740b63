// How are filters named in caches? By text that is equal exactly when the matches must be: lengths before strings, so
// that no value can pretend to be syntax.

/** A string, unambiguous next to others. */
export function textKey(text: string): string {
  return `${text.length}:${text}`;
}

/** A field and a term of it. */
export function byteKey(path: string, bytes: Uint8Array): string {
  return `(${textKey(path)}=${bytes.length}:${Buffer.from(bytes).toString('latin1')})`;
}
