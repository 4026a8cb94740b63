// Creates the services of a search over a log: source access, caches and the limits in force.

import type { DocumentLog } from '../log/log.ts';
import type { Memory } from '../memory/memory.ts';
import { BackgroundWork } from '../search/background-work.ts';
import { cacheBytes, SearchCaches } from '../search/caches/search-caches.ts';
import type { SearchServices } from '../search/services.ts';
import type { LimitsInForce } from './limits.ts';

/** The services that every search of an engine gets. */
export function createSearchServices(
  log: DocumentLog,
  memory: Memory,
  now: () => number,
  limits: LimitsInForce,
  options: { readonly memoryBytes?: number; readonly compat?: SearchServices['compat'] },
): SearchServices {
  const background = new BackgroundWork(() => memory.beginReading());
  return {
    readSource: (chunk, offset, length) => log.read(chunk, offset, length),
    copySource: (chunk, offset, length, into, at) => log.copy(chunk, offset, length, into, at),
    findSource: (chunk, offset, length) => log.find(chunk, offset, length),
    caches: new SearchCaches(cacheBytes(options.memoryBytes ?? Number.POSITIVE_INFINITY), memory),
    get limits() {
      return limits.search;
    },
    now,
    background: (key, steps) => background.add(key, steps),
    compat: options.compat ?? 'opensearch',
  };
}
