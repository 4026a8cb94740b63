// The `_analyze` endpoints: the terms that an analyzer makes of a text.

import { EngineError, startSliced } from '@octavo/engine';
import { resolveOne } from '../resolve/resolve.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';

/** Known members of the body. */
const KEYS = new Set([
  'text',
  'analyzer',
  'field',
  'tokenizer',
  'filter',
  'char_filter',
  'normalizer',
  'explain',
  'attributes',
]);

async function analyze(call: Call, { engine }: Services): Promise<Reply> {
  if (!call.hasBody) throw new EngineError('parse_exception', 'request body or source parameter is required');
  const body = call.object();
  for (const key of Object.keys(body)) {
    if (KEYS.has(key)) continue;
    throw new EngineError('x_content_parse_exception', `[1:1] [analyze_request] unknown field [${key}]`);
  }
  if (body['text'] === undefined) {
    throw new EngineError('action_request_validation_exception', 'Validation Failed: 1: text is missing;');
  }
  const requested = call.path['index'] ?? call.params.string('index');
  const index = requested === undefined ? undefined : resolveOne(engine, requested).name;
  return { body: await startSliced(engine.indices.analyze(index, body)) };
}

/** The rows of this family. */
export const analyzeRoutes: readonly Route[] = ['/_analyze', '/{index}/_analyze'].map(
  (path): Route => ({ methods: ['GET', 'POST'], path, params: ['index', 'prefer_local'], handle: analyze }),
);
