// Documents of another server, for `_reindex`: a scroll over HTTP. Sources stay the bytes that were sent.

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  EngineError,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@octavo/engine';
import type { Limits } from '../../limits.ts';
import type {
  DocumentBatch,
  FoundDocument,
  FoundPages,
  RemoteSource,
} from '../../wire/router/document-pages.ts';
import { checkAnswer } from './node-answer.ts';
import { elementsAt, type JsonRange, membersAt, wholeRange } from './raw-json.ts';
import { NoAnswer, type NodeAnswer, type NodeRequest, send } from './send.ts';

type RemoteLimits = Pick<
  Limits,
  'clusterConnectMs' | 'clusterAnswerMs' | 'clusterAnswerBytes' | 'clusterAnswersBytes'
>;

/** The scroll stays so much longer than a page is expected to take. */
const SPARE_MS = 300_000;
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' };

export function openRemotePages(source: RemoteSource, limits: RemoteLimits, signal: AbortSignal): FoundPages {
  const agent = new (source.url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const within = {
    connectMs: Math.min(source.connectMs ?? limits.clusterConnectMs, limits.clusterConnectMs),
    answerMs: Math.min(source.answerMs ?? limits.clusterAnswerMs, limits.clusterAnswerMs),
    answerBytes: limits.clusterAnswerBytes,
    buffered: { bytes: 0, most: limits.clusterAnswersBytes },
  };
  const ask = async (
    method: string,
    path: string,
    body: JsonObject,
    until?: AbortSignal,
  ): Promise<NodeAnswer> => {
    const request: NodeRequest = {
      ...{ method, path, headers: { ...source.headers, ...JSON_TYPE } },
      body: Buffer.from(stringifyJson(body)),
    };
    try {
      const answer = await send(source.url, agent, request, within, until);
      const strange = answer.status < 400 ? checkAnswer(answer, request) : undefined;
      if (strange === undefined) return answer;
      throw remoteError('node_answer_exception', source, `answered with ${strange}`);
    } catch (error) {
      throw error instanceof NoAnswer ? unanswered(source, error) : error;
    }
  };
  let scrollId: string | undefined;
  return {
    async next(size, holdMs) {
      const scroll = `${Math.ceil((holdMs + SPARE_MS) / 1_000)}s`;
      const names = source.indices.map(encodeURIComponent).join(',');
      const answer =
        scrollId === undefined
          ? await ask(
              'POST',
              `/${names}/_search?scroll=${scroll}&size=${size}&version=true&allow_partial_search_results=false`,
              source.search,
              signal,
            )
          : await ask('POST', '/_search/scroll', { scroll, scroll_id: scrollId }, signal);
      if (answer.status >= 400) throw refusedBy(answer);
      const page = pageOf(answer.body);
      scrollId = page.scrollId ?? scrollId;
      // A scroll has pages of the size it was opened with.
      return { ...page, documents: page.documents.slice(0, size) };
    },
    async close() {
      if (scrollId !== undefined)
        await ask('DELETE', '/_search/scroll', { scroll_id: [scrollId] }).catch(() => {});
      agent.destroy();
    },
  };
}

function pageOf(bytes: Buffer): DocumentBatch & { readonly scrollId: string | undefined } {
  const whole = membersAt(bytes, wholeRange(bytes));
  const shards = valueAt(bytes, whole.get('_shards'));
  if (isObject(shards) && shards['failed'] !== 0)
    throw new EngineError('status_exception', `shards failed: ${stringifyJson(shards).slice(0, 2_000)}`);
  const outer = whole.get('hits');
  const hits = outer === undefined ? new Map<string, JsonRange>() : membersAt(bytes, outer);
  const list = hits.get('hits');
  const documents =
    list === undefined ? [] : elementsAt(bytes, list).map((range) => documentOf(bytes, range));
  const total = valueAt(bytes, hits.get('total'));
  const scrollId = valueAt(bytes, whole.get('_scroll_id'));
  return {
    // Servers before Elasticsearch 7 give a number.
    total: Number(isObject(total) ? total['value'] : total),
    documents,
    more: documents.length > 0,
    scrollId: typeof scrollId === 'string' ? scrollId : undefined,
  };
}

function documentOf(bytes: Buffer, range: JsonRange): FoundDocument {
  const members = membersAt(bytes, range);
  const text = (name: string): string | undefined => {
    const value = valueAt(bytes, members.get(name));
    return typeof value === 'string' ? value : undefined;
  };
  const source = members.get('_source');
  const [index, id] = [text('_index') ?? '', text('_id') ?? ''];
  if (source === undefined)
    throw new EngineError('illegal_argument_exception', `[${index}][${id}] didn't store _source`);
  return {
    ...{ index, id, type: '_doc', routing: text('_routing') },
    version: Number(valueAt(bytes, members.get('_version')) ?? 1),
    seqNo: 0,
    source: bytes.subarray(source.start, source.end),
  };
}

function valueAt(bytes: Buffer, range: JsonRange | undefined): JsonValue | undefined {
  return range === undefined ? undefined : parseJson(bytes.subarray(range.start, range.end));
}

/** The other server's refusal, with its status. */
function refusedBy({ status, body }: NodeAnswer): EngineError {
  return new EngineError('status_exception', `body=${body.toString('utf8', 0, 10_000)}`, { status });
}

function unanswered(source: RemoteSource, error: NoAnswer): EngineError {
  if (error.reason === 'refused')
    return new EngineError(
      'http_host_connect_exception',
      `Connect to ${source.url.origin} failed: ${error.message}`,
    );
  if (error.reason === 'long' || error.reason === 'much')
    return new EngineError(
      'content_too_long_exception',
      'Remote responded with a chunk that was too large. Use a smaller batch size.',
    );
  return remoteError('node_disconnected_exception', source, error.message);
}

function remoteError(
  type: 'node_answer_exception' | 'node_disconnected_exception',
  { url }: RemoteSource,
  what: string,
): EngineError {
  return new EngineError(type, `[${url.origin}]: ${what}`);
}
