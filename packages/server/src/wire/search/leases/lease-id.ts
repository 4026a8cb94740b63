// The ids of scrolls and points in time: the engine's lease in an envelope, so that malformed ids (400)
// differ from ids that have expired (404).

import { EngineError, illegalArgument, type Lease } from '@octavo/engine';
import { parseMillis } from '../../router/query-params.ts';
import type { Services } from '../../router/route.ts';
import { clusterSetting } from '../../settings/cluster-settings-store.ts';

/** The kinds of leases that clients open. */
export type LeaseKind = 'scroll' | 'pit';

/** The wire's id of a lease. */
export function leaseId(kind: LeaseKind, id: string): string {
  return Buffer.from(`octavo:${kind}:${id}`, 'utf8').toString('base64url');
}

/** The engine's id; undefined if the text is no id of this kind. */
export function readLeaseId(kind: LeaseKind, text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{16,512}$/.test(text)) return undefined;
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const prefix = `octavo:${kind}:`;
  return plain.startsWith(prefix) && leaseId(kind, plain.slice(prefix.length)) === text
    ? plain.slice(prefix.length)
    : undefined;
}

/** The lease of an id; throws the peer's errors for malformed ids and for leases that are not open. */
export function findOpenLease(
  kind: LeaseKind,
  text: string,
  find: (id: string) => Lease | undefined,
): { id: string; lease: Lease } {
  const id = readLeaseId(kind, text);
  if (id === undefined) {
    throw illegalArgument(kind === 'scroll' ? 'Cannot parse scroll id' : `invalid id: [${text}]`);
  }
  const lease = find(id);
  if (lease === undefined) throw contextMissing(id);
  return { id, lease };
}

/** The peer's 404. Some callers wrap it, as the peer does. */
export function contextMissing(id: string): EngineError {
  return new EngineError('search_context_missing_exception', `No search context found for id [${id}]`);
}

/** Throws for a life beyond the cluster setting, or beyond the limit of this server. */
export function checkKeepAlive(millis: number, { engine, limits }: Services, setting: string): void {
  const { keepAliveMaxMs } = limits;
  const set = clusterSetting(engine.settings, setting);
  const max = Math.min(configuredLife(set, setting), keepAliveMaxMs);
  if (millis <= max) return;
  throw illegalArgument(
    `Keep alive for request (${duration(millis)}) is too large. It must be less than (${duration(max)}). ` +
      `This limit can be set by changing the [${setting}] cluster level setting, up to this server's ` +
      `keepAliveMaxMs (${duration(keepAliveMaxMs)}).`,
  );
}

/** The life in a cluster setting. Older versions stored values that do not parse: these are no limit. */
function configuredLife(set: string | undefined, setting: string): number {
  if (set === undefined) return Number.POSITIVE_INFINITY;
  try {
    const millis = parseMillis(set, setting);
    return millis > 0 ? millis : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** `108000000` → `1.2d`, as the peer prints durations. */
function duration(millis: number): string {
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ];
  for (const [unit, size] of units) {
    if (millis >= size) return `${Math.floor((millis / size) * 10) / 10}${unit}`;
  }
  return `${millis}ms`;
}
