// What the engine hands to every search: sources to read, caches that outlive a search, limits, clocks and
// background work.

import type { SearchCaches } from './caches/search-caches.ts';
import type { SearchLimits } from './search-limits.ts';

/** Handed to every search of an engine. */
export interface SearchServices {
  /** The bytes of a source in the document log. */
  readSource(chunk: number, offset: number, length: number): Uint8Array;
  /** Copies the bytes of a source to into[at …). REQUIRES: room there. */
  copySource(chunk: number, offset: number, length: number, into: Uint8Array, at: number): void;
  /**
   * A source in memory: its first byte is `bytes[offset - start]`. Undefined where it must be read from the
   * disk.
   */
  findSource?(
    chunk: number,
    offset: number,
    length: number,
  ): { readonly bytes: Uint8Array; readonly start: number } | undefined;
  readonly caches: SearchCaches;
  readonly limits: SearchLimits;
  readonly compat: 'opensearch' | 'elasticsearch';
  /** Milliseconds since 1970, for date maths. */
  now(): number;
  /** Milliseconds from any moment on, for deadlines and slices; performance.now() by default. */
  readonly clock?: () => number;
  /** Runs steps to their end later, a slice at a time; equal keys mean equal work. */
  background(key: string, steps: () => Generator<void, unknown, undefined>): void;
}
