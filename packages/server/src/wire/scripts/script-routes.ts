// The endpoints of scripts: put, get and delete a stored one, and run one to try it out.

import {
  checkScript,
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  readScript,
  runTestScript,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName } from '../../json/json-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { readStoredScript, STORED_SCRIPTS, storedScript } from './stored-scripts.ts';

/** The rows of this family. */
export const scriptRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_scripts/{id}', params: WAIT_PARAMS, handle: getScript },
  { methods: ['DELETE'], path: '/_scripts/{id}', params: WAIT_PARAMS, handle: deleteScript },
  {
    methods: ['PUT', 'POST'],
    path: '/_scripts/{id}',
    params: [...WAIT_PARAMS, 'context'],
    handle: putScript,
  },
  {
    methods: ['PUT', 'POST'],
    path: '/_scripts/{id}/{context}',
    params: [...WAIT_PARAMS, 'context'],
    handle: putScript,
  },
  { methods: ['GET', 'POST'], path: '/_scripts/painless/_execute', params: [], handle: execute },
];

function idOf(call: Call): string {
  const id = call.path['id']!;
  throwIfInvalid(id.includes('#') ? ["id cannot contain '#' for stored script"] : []);
  return id;
}

async function putScript(call: Call, { engine }: Services): Promise<Reply> {
  const id = idOf(call);
  requireBody(call);
  const script = readStoredScript(call.object());
  const context = call.path['context'] ?? call.params.string('context');
  if (context !== undefined) check(id, context, script);
  await engine.settings.put(STORED_SCRIPTS, id, { ...script });
  return { body: { acknowledged: true } };
}

function check(id: string, context: string, script: Parameters<typeof checkScript>[0]): void {
  try {
    checkScript(script, context);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === 'script_exception') throw error;
    const reason = `failed to parse/compile stored script [${id}]`;
    throw new EngineError('illegal_argument_exception', reason, { causedBy: error });
  }
}

function getScript(call: Call, { engine }: Services): Reply {
  const id = idOf(call);
  const script = storedScript(engine, id);
  if (script === undefined) return { status: 404, body: { _id: id, found: false } };
  return { body: { _id: id, found: true, script: { ...script } as ReplyObject } };
}

async function deleteScript(call: Call, { engine }: Services): Promise<Reply> {
  const id = idOf(call);
  if (await engine.settings.remove(STORED_SCRIPTS, [id])) return { body: { acknowledged: true } };
  throw new EngineError(
    'resource_not_found_exception',
    `stored script [${id}] does not exist and cannot be deleted`,
  );
}

const PARSER = 'painless_execute_request';

/** Runs a script of the context `painless_test`, which has nothing but its parameters. */
function execute(call: Call): Reply {
  requireBody(call, 'request body or source parameter is required');
  const body = call.object();
  for (const [key, value] of Object.entries(body)) {
    if (key === 'script') continue;
    if (key === 'context') requireTestContext(value);
    else if (key !== 'context_setup') throw contentError(`unknown field [${key}]`);
    else if (!isObject(value))
      throw contentError(`context_setup doesn't support values of type: ${firstTokenName(value)}`);
  }
  if (body['script'] === undefined) throw illegalArgument('Required [script]');
  const spec = readScript(body, 'script', PARSER);
  throwIfInvalid(spec.id === undefined ? [] : ['only inline scripts are supported']);
  return { body: { result: runTestScript(spec, Date.now()) } };
}

function requireTestContext(value: JsonObject[string]): void {
  if (typeof value !== 'string')
    throw contentError(`context doesn't support values of type: ${firstTokenName(value)}`);
  if (value === 'painless_test') return;
  throw illegalArgument(
    `[context] [${value}] is not supported: only [painless_test] is; try the script in a search with [size] 0`,
  );
}

function contentError(reason: string): EngineError {
  return new EngineError('x_content_parse_exception', `[${PARSER}] ${reason}`);
}
