// Checks that an answer comes from a node. A proxy before the cluster, or a server at a wrong address, also
// answers 200: a redirect, an HTML page or truncated JSON must not pass for a result, least of all for the
// end of a list.

import { EngineError, type JsonValue, parseJson } from '@octavo/engine';
import { elementsAt, membersAt, wholeRange } from './raw-json.ts';
import type { NodeAnswer } from './send.ts';

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
}

/** The member that an answer must have, by the end of the path. */
const REQUIRED_MEMBERS: readonly (readonly [RegExp, string])[] = [
  [/\/_search$/, 'hits'],
  [/\/_mget$/, 'docs'],
  [/\/_bulk$/, 'items'],
];
/** Endpoints that answer with plain text. */
const TEXTS = /^\/_cat(\/|$)|\/hot_threads$/;
const OPENING = /^\s*[[{]/;

/**
 * Returns what is wrong with an answer that no node would send, or undefined. Errors of a node are fine.
 * O(bytes).
 */
export function checkAnswer(
  { status, headers, body }: NodeAnswer,
  request: AnsweredRequest,
): string | undefined {
  const type = headers['content-type'] ?? '';
  if (status >= 300 && status < 400) return `a redirect (${status})`;
  const isPage = type.includes('html');
  // An error keeps its meaning whoever sends it, except a 404 page, which does not say that the document is
  // missing.
  if (status >= 400) return status === 404 && isPage ? 'a page of HTML' : undefined;
  if (request.method === 'HEAD') return undefined;
  const [path = '', query = ''] = request.path.split('?', 2);
  if (TEXTS.test(path)) return isPage ? 'a page of HTML' : undefined;
  if (type !== '' && !type.includes('json')) return `[${type.slice(0, 60)}] instead of JSON`;
  if (!OPENING.test(body.toString('latin1', 0, 64))) return 'not JSON';
  try {
    const members = membersAt(body, wholeRange(body));
    if (members.size === 0) elementsAt(body, wholeRange(body));
    // With filter_path, an empty result leaves out the member.
    const needed = query.includes('filter_path=')
      ? undefined
      : REQUIRED_MEMBERS.find(([end]) => end.test(path))?.[1];
    if (needed === undefined) return undefined;
    const at = members.get(needed);
    const isThere = at !== undefined && OPENING.test(body.toString('latin1', at.start, at.start + 1));
    return isThere ? undefined : `an answer without [${needed}]`;
  } catch {
    return 'malformed JSON';
  }
}

export function invalidAnswer(what: string, repeatable = true): EngineError {
  const done = repeatable
    ? ''
    : '; the request may or may not have been performed: check before you repeat it';
  return new EngineError(
    'node_answer_exception',
    `an answer of the cluster that holds the documents was ${what}${done}; does --documents name its nodes?`,
  );
}

/** Parses JSON from a node. Throws `node_answer_exception` if it is malformed. */
export function parseAnswer(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes);
  } catch {
    throw invalidAnswer('malformed JSON');
  }
}
