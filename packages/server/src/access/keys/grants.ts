// What a key may be granted: known scopes, and never more rights than the giver has.

import { type EngineError, type JsonObject, parseQuery } from '@octavo/engine';
import type { KeyGrant } from '@octavo/records';
import { Problem } from '../../errors/problem.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { type AccessScope, allows, type Principal, type ScopeArea } from '../callers/principal.ts';

const AREAS: readonly ScopeArea[] = ['search', 'feed', 'chat', 'ledger', 'events', 'keys', 'admin'];
const VERBS = ['read', 'write', 'admin', '*'] as const;

/** All scopes. */
export const SCOPES: readonly AccessScope[] = [
  '*',
  ...AREAS.flatMap((area) => VERBS.map((verb): AccessScope => `${area}:${verb}`)),
];

/** The known scopes among some names. Unknown ones, of a later version perhaps, grant nothing. */
export function knownScopes(names: readonly string[]): AccessScope[] {
  return SCOPES.filter((scope) => names.includes(scope));
}

/** Throws Problem (`forbidden`) for a grant beyond the giver's own rights. */
export function requireGrantable(giver: Principal, grant: KeyGrant): void {
  const scope = knownScopes(grant.scopes).find((each) => !hasScope(giver, each));
  if (scope !== undefined) {
    throw new Problem('forbidden', `The key cannot grant ${scope}: it does not have that scope itself.`, {
      field: 'scopes',
    });
  }
  if (giver.indexPatterns !== undefined) {
    const patterns = grant.indexPatterns ?? ['*'];
    const wider = patterns.find(
      (pattern) => !giver.indexPatterns!.some((own) => matchesWildcard(own, pattern)),
    );
    if (wider !== undefined) {
      throw new Problem(
        'forbidden',
        `The key cannot grant ${wider}: it does not have access to all of it itself.`,
        {
          field: 'index_patterns',
        },
      );
    }
  }
  if (giver.documentFilter !== undefined && !narrows(grant.documentFilter, giver.documentFilter)) {
    throw new Problem('forbidden', 'The key cannot grant access to documents that it does not see itself.', {
      field: 'document_filter',
    });
  }
}

/** The grant restricted by the giver's own document filter and index patterns. */
export function restrictGrant(giver: Principal, grant: KeyGrant): KeyGrant {
  const own = giver.documentFilter;
  const patterns = grant.indexPatterns ?? giver.indexPatterns;
  if (own === undefined || narrows(grant.documentFilter, own)) return { ...grant, indexPatterns: patterns };
  const documentFilter =
    grant.documentFilter === undefined ? own : { bool: { filter: [own, grant.documentFilter] } };
  return { ...grant, indexPatterns: patterns, documentFilter };
}

/** True if `filter` is `own`, or `own` and more. */
function narrows(filter: KeyGrant['documentFilter'], own: JsonObject): boolean {
  if (filter === undefined) return false;
  const wanted = JSON.stringify(own);
  if (JSON.stringify(filter) === wanted) return true;
  const { bool } = filter as { bool?: { filter?: unknown } };
  return (
    Object.keys(filter).length === 1 &&
    Array.isArray(bool?.filter) &&
    Object.keys(bool).length === 1 &&
    bool.filter.some((part) => JSON.stringify(part) === wanted)
  );
}

function hasScope(giver: Principal, scope: AccessScope): boolean {
  if (scope === '*') return giver.scopes.includes('*');
  const [area, verb] = scope.split(':') as [ScopeArea, (typeof VERBS)[number]];
  return allows(giver, area, verb === '*' ? 'admin' : verb);
}

/** Throws Problem (`invalid-body`) for a malformed query, or one that a filter cannot contain. */
export function checkFilter(filter: JsonObject, field = 'document_filter'): void {
  try {
    parseQuery(filter);
  } catch (error) {
    throw new Problem('invalid-body', `${field} is not a query: ${(error as EngineError).message}.`, {
      field,
    });
  }
  if (hasLookup(filter)) {
    throw new Problem('invalid-body', `${field} cannot look up terms in another document.`, { field });
  }
}

function hasLookup(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLookup);
  return Object.entries(value).some(([key, each]) => {
    if (key !== 'terms' || typeof each !== 'object' || each === null) return hasLookup(each);
    return Object.values(each).some(
      (terms) => typeof terms === 'object' && terms !== null && 'path' in terms,
    );
  });
}
