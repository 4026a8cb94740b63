// The fingerprint of a list: a short hash of each part that a position depends on (index, query, sort; never
// the page size). A token used with another list is refused, and the error names the parts that differ.

/** Hashes by part: 'index', 'query', 'sort'. */
export type Fingerprint = Readonly<Record<string, number>>;

/**
 * 48 bits of two FNV-1a hashes over UTF-16 units (Fowler, Noll and Vo), mixed at the end. It catches mistakes and is not
 * a signature: only sealing keeps tokens from being forged.
 */
export function hashText(text: string): number {
  let a = 0x811c9dc5 | 0;
  let b = 0x7ee3623b | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 16_777_619);
    b = Math.imul(b ^ (unit + i), 0x01000193 ^ 0x5bd1e994);
  }
  const x = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
  const y = Math.imul(b ^ (b >>> 13), 0x297a2d39);
  return ((x ^ (x >>> 12)) >>> 0) * 65_536 + ((y ^ (y >>> 15)) >>> 16);
}

/** The text of a JSON-like value, independent of the order of keys. Undefined members are left out. */
export function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([k, v]) => `${JSON.stringify(k)}:${canonicalText(v)}`).join(',')}}`;
}

/** The fingerprint of a list: `fingerprint({ index: 'news', query, sort })`. */
export function fingerprint(parts: Readonly<Record<string, unknown>>): Fingerprint {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, hashText(canonicalText(part))]),
  );
}

/** The parts of a search that identify its list. The page size and the start of the page are not among them. */
export interface SearchIdentity {
  /** The index part of the path: names, aliases and patterns, comma-separated or as a list; absent for all indices. */
  readonly index?: string | readonly string[] | undefined;
  /** As in the body, like the three that follow. The order of members does not matter. */
  readonly query?: unknown;
  readonly postFilter?: unknown;
  readonly minScore?: number | undefined;
  readonly sort?: unknown;
}

/** The fingerprint of a search as an Octavo server expects it in a token that a caller has built. */
export function searchFingerprint({ index, query, postFilter, minScore, sort }: SearchIdentity): Fingerprint {
  return fingerprint({
    index: indexNames(index),
    query: { query: query ?? null, post_filter: postFilter, min_score: minScore },
    sort: sort ?? null,
  });
}

/** The index part of a path in canonical form: `_all` for all indices, plain names sorted and without duplicates. */
export function indexNames(index: string | readonly string[] | undefined): string[] {
  const list = typeof index === 'string' ? index.split(',') : (index ?? []);
  const parts = list.filter((part) => part !== '');
  if (parts.length === 0 || (parts.length === 1 && parts[0] === '*')) return ['_all'];
  return parts.some((part) => /[*<]/.test(part)) ? parts : [...new Set(parts)].sort();
}

/** Names of the parts that differ, or that only one of the two has. */
export function changedParts(a: Fingerprint, b: Fingerprint): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((n) => !Object.hasOwn(a, n) || !Object.hasOwn(b, n) || a[n] !== b[n]);
}
