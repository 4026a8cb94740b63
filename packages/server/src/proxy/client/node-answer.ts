// Is this the answer of a node at all? What stands before a cluster, or at the wrong address, says 200 as well: a redirect,
// a page for people, half an object must not pass for a result, least of all for the end of a list.

import { EngineError, type JsonValue, parseJson } from '@octavo/engine';
import { elementsAt, membersAt, wholeOf } from './raw-json.ts';
import type { NodeAnswer } from './send.ts';

interface Asked {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
}

/** Members without which an answer is none, by the end of the path. */
const NEEDED: readonly (readonly [RegExp, string])[] = [
  [/\/_search$/, 'hits'],
  [/\/_mget$/, 'docs'],
  [/\/_bulk$/, 'items'],
];
/** Tables and stacks are texts. */
const TEXTS = /^\/_cat(\/|$)|\/hot_threads$/;
const OPENING = /^\s*[[{]/;

/** What is wrong with an answer that no node would give; undefined for others, errors of a node among them. O(bytes). */
export function strangenessOf({ status, headers, body }: NodeAnswer, asked: Asked): string | undefined {
  const type = headers['content-type'] ?? '';
  if (status >= 300 && status < 400) return `a redirect (${status})`;
  const isPage = type.includes('html');
  // Errors keep their meaning, whoever says them; but what is not here must have been looked for.
  if (status >= 400) return status === 404 && isPage ? 'a page of HTML' : undefined;
  if (asked.method === 'HEAD') return undefined;
  const [path = '', query = ''] = asked.path.split('?', 2);
  if (TEXTS.test(path)) return isPage ? 'a page of HTML' : undefined;
  if (type !== '' && !type.includes('json')) return `[${type.slice(0, 60)}] where JSON is expected`;
  if (!OPENING.test(body.toString('latin1', 0, 64))) return 'what is no JSON';
  try {
    const members = membersAt(body, wholeOf(body));
    if (members.size === 0) elementsAt(body, wholeOf(body));
    // Under a filter_path nothing found is nothing said.
    const needed = query.includes('filter_path=') ? undefined : NEEDED.find(([end]) => end.test(path))?.[1];
    if (needed === undefined) return undefined;
    const at = members.get(needed);
    const isThere = at !== undefined && OPENING.test(body.toString('latin1', at.start, at.start + 1));
    return isThere ? undefined : `an answer without [${needed}]`;
  } catch {
    return 'JSON that cannot be read';
  }
}

/** The refusal of such an answer. */
export function strangeAnswer(what: string, repeatable = true): EngineError {
  const done = repeatable ? '' : '; what was asked for may have been done or not: look before you ask again';
  return new EngineError(
    'node_answer_exception',
    `what answers for the cluster that holds the documents sent ${what}${done}; are the addresses of --documents those of its nodes?`,
  );
}

/** A value that a node has printed. Throws `node_answer_exception` where it cannot be read. */
export function readAnswer(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes);
  } catch {
    throw strangeAnswer('JSON that cannot be read');
  }
}
