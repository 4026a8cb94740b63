// The rights of one caller on indices: scopes first, then names. Refusals use the peer's words.

import { EngineError } from '@octavo/engine';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { allows, type Principal } from '../callers/principal.ts';

/** An action by the peer's name. */
export type Action =
  | 'indices:data/read/search'
  | 'indices:data/read/get'
  | 'indices:data/read/termvectors'
  | 'indices:data/write/bulk'
  | 'indices:monitor/stats'
  | 'indices:admin/get'
  | 'indices:admin/create'
  | 'indices:admin/delete'
  | 'indices:admin/mapping/put'
  | 'indices:admin/settings/update'
  | 'indices:admin/aliases'
  | 'indices:admin/close'
  | 'indices:admin/refresh'
  | 'indices:admin/flush'
  | 'indices:admin/forcemerge'
  | 'cluster:admin/settings/update'
  | 'cluster:admin/shutdown';

export class CallerRules {
  readonly principal: Principal;
  readonly #names: readonly string[] | undefined;

  constructor(principal: Principal) {
    this.principal = principal;
    this.#names = principal.indexPatterns;
  }

  /** True if the caller may use every index. */
  get allIndices(): boolean {
    return this.#names === undefined || this.#names.includes('*');
  }

  allowsIndex(name: string): boolean {
    return this.#names === undefined || this.#names.some((pattern) => matchesWildcard(pattern, name));
  }

  requireIndex(name: string, action: Action): void {
    if (!this.allowsIndex(name)) throw this.refusal(action, name);
  }

  require(verb: 'read' | 'write' | 'admin', action: Action, index?: string): void {
    if (!allows(this.principal, 'search', verb)) throw this.refusal(action, index);
    if (verb === 'admin' && this.principal.documentFilter !== undefined) {
      throw this.refusal(action, index, 'it has a document filter');
    }
  }

  /** For what affects more than single indices: templates, cluster settings. */
  requireCluster(action: Action): void {
    this.require('admin', action);
    if (!this.allIndices) throw this.refusal(action, undefined, 'it is restricted to some indices');
  }

  refusal(action: Action, index: string | undefined, why?: string): EngineError {
    const { id, name } = this.principal;
    const key = name === undefined ? `[${id}]` : `[${name}] (${id})`;
    const on = index === undefined ? '' : ` on indices [${index}]`;
    const reason = why === undefined ? '' : `: ${why}`;
    return new EngineError(
      'security_exception',
      `action [${action}] is unauthorized for API key ${key}${on}${reason}`,
    );
  }
}
