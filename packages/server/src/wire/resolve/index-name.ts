// The rules for names of indices and aliases: those of the peer with its errors, and one of ours, because
// `api` is the path of the application API.

import { EngineError } from '@octavo/engine';

const FORBIDDEN = /[ "*\\<|,>/?]/;
const FORBIDDEN_TEXT = '[ , ", *, \\, <, |, ,, >, /, ?]';

/** Bytes that a name may have in UTF-8. */
const NAME_BYTES_MAX = 255;

/** What is wrong with a name, as the end of the peer's message; undefined for a valid name. */
export function nameFault(name: string, kind: 'index' | 'alias'): string | undefined {
  if (name === '') return `${kind === 'index' ? 'index' : 'alias'} name is empty`;
  if (FORBIDDEN.test(name)) return `must not contain the following characters ${FORBIDDEN_TEXT}`;
  if (hasControl(name)) return 'must not contain control characters';
  if (name.includes('#')) return "must not contain '#'";
  if (name.includes(':')) return "must not contain ':'";
  if (name.startsWith('_') || name.startsWith('-') || name.startsWith('+')) {
    return "must not start with '_', '-', or '+'";
  }
  const bytes = Buffer.byteLength(name, 'utf8');
  if (bytes > NAME_BYTES_MAX) return `index name is too long, (${bytes} > ${NAME_BYTES_MAX})`;
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  if (kind === 'index' && name !== name.toLowerCase()) return 'must be lowercase';
  if (name === 'api') return "must not be 'api', which is the path of the application API";
  return undefined;
}

/** Throws invalid_index_name_exception for an invalid name. */
export function checkIndexName(name: string): void {
  const fault = nameFault(name, 'index');
  if (fault !== undefined) throw invalidIndexName(name, fault);
}

/** The error of an invalid name, and of a name that an alias has. */
export function invalidIndexName(name: string, fault: string): EngineError {
  return new EngineError('invalid_index_name_exception', `Invalid index name [${name}], ${fault}`, {
    details: { index: name, index_uuid: '_na_' },
  });
}

/** Throws invalid_alias_name_exception for an invalid name. */
export function checkAliasName(name: string): void {
  const fault = nameFault(name, 'alias');
  if (fault === undefined) return;
  throw new EngineError('invalid_alias_name_exception', `Invalid alias name [${name}]: ${fault}`);
}

function hasControl(name: string): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) < 32) return true;
  return false;
}
