// The `_shrink`, `_split` and `_clone` endpoints. An index is one piece here, so all three copy its documents, with their
// versions, into a new index with another number of shards in its settings.

import {
  attachPlace,
  type Engine,
  EngineError,
  type IndexInfo,
  illegalArgument,
  type JsonObject,
  Members,
  plainText,
  type WriteOp,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { parseByteSize } from '../../json/units.ts';
import { PAGE_DOCUMENTS } from '../by-query/by-query-params.ts';
import { changePages } from '../by-query/change-found.ts';
import { localPages } from '../by-query/found-pages.ts';
import { Pace } from '../by-query/pace.ts';
import { newOutcome, progress } from '../by-query/query-outcome.ts';
import { indexMissing, SEARCH_OPTIONS } from '../resolve/resolve.ts';
import { replicasOf, routingShards, shardsOf, WAIT_PARAMS } from '../resolve/scope.ts';
import { hasEnoughShards } from '../resolve/shards.ts';
import { indexTarget } from '../resolve/target.ts';
import type { FoundDocument } from '../router/document-pages.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import type { RunningTask } from '../router/task-log.ts';
import { replyOfTask, TASK_PARAMS } from '../router/task-reply.ts';
import { emptySpec } from '../search/body/search-spec.ts';
import { checkedSettings, type IndexBody, parseIndexBody } from '../templates/index-body.ts';
import { freeName } from './create.ts';

type Verb = 'shrink' | 'split' | 'clone';

/** The rows of this family. */
export const resizeRoutes: readonly Route[] = (['shrink', 'split', 'clone'] as const).map(
  (verb): Route => ({
    methods: ['PUT', 'POST'],
    path: `/{index}/_${verb}/{target}`,
    params: [...WAIT_PARAMS, ...TASK_PARAMS, 'copy_settings', 'wait_for_active_shards'],
    handle: (call, services) => resize(verb, call, services),
  }),
);

async function resize(verb: Verb, call: Call, services: Services): Promise<Reply> {
  const { engine } = services;
  const { index = '', target = '' } = call.path;
  if (call.params.boolean('copy_settings') === false)
    throw illegalArgument('parameter [copy_settings] can not be explicitly set to [false]');
  hasEnoughShards(call.params, 0);
  const body = readResize(call.object());
  const shards = body.settings['index.number_of_shards'];
  if (verb === 'split' && shards === undefined)
    throwIfInvalid(['index.number_of_shards is required for split operations']);
  const source = engine.indices.info(index);
  if (source === undefined) throw indexMissing(index, SEARCH_OPTIONS);
  const name = freeName(engine, target);
  refuseUnblocked(source);
  const count = shards === undefined ? (verb === 'shrink' ? 1 : shardsOf(source)) : Number(shards);
  refuseShards(verb, source, count);
  const removed = Object.keys(body.settings).filter((key) => body.settings[key] === null);
  const own = checkedSettings(body.settings);
  const settings = { ...copiedSettings(source, removed), ...own, 'index.number_of_shards': String(count) };
  const spec = {
    action: 'indices:admin/resize',
    description: `${verb} from [${index}] to [${name}]`,
    isCancellable: true,
  };
  return await replyOfTask(call, services, spec, async (task, signal) => {
    const copy = { name, body: { settings, mappings: source.mappings, aliases: body.aliases } };
    await copyIndex(services, source, copy, task, signal);
    const hasShards = hasEnoughShards(call.params, replicasOf(engine.indices.info(name) ?? source));
    return { body: { acknowledged: true, shards_acknowledged: hasShards, index: name } };
  });
}

function readResize(body: JsonObject): ReturnType<typeof parseIndexBody> {
  const members = new Members('resize_request', body);
  const settings = members.object('settings');
  const aliases = members.object('aliases');
  // One piece has one size, whatever the number of shards.
  members.read('max_shard_size', (value) => parseByteSize(plainText(value), 'max_shard_size'));
  for (const key of Object.keys(body)) {
    if (key === 'settings' || key === 'aliases' || key === 'max_shard_size') continue;
    const error = new EngineError('x_content_parse_exception', `[resize_request] unknown field [${key}]`);
    throw attachPlace(error, { holder: body, key, at: 'key' });
  }
  return parseIndexBody({ ...(settings && { settings }), ...(aliases && { aliases }) });
}

const WRITE_BLOCKS = [
  'index.blocks.write',
  'index.blocks.read_only',
  'index.blocks.read_only_allow_delete',
] as const;

/** Throws if the source can still be written to: the copy would miss what comes meanwhile. */
function refuseUnblocked({ name, settings }: IndexInfo): void {
  if (WRITE_BLOCKS.some((block) => settings[block] === 'true')) return;
  throw new EngineError(
    'illegal_state_exception',
    `index ${name} must block write operations to resize index. use "index.blocks.write=true"`,
    { status: 500 },
  );
}

/** Throws for a number of shards that the peer cannot make of the source's. */
function refuseShards(verb: Verb, source: IndexInfo, target: number): void {
  const shards = shardsOf(source);
  if (verb === 'clone' && target !== shards) {
    throw illegalArgument(
      `the number of target shards (${target}) must be the same as the number of source shards (${shards})`,
    );
  }
  if (verb === 'shrink') {
    if (target > shards) {
      throw illegalArgument(
        `the number of target shards [${target}] must be less that the number of source shards [${shards}]`,
      );
    }
    if (shards % target !== 0)
      throw illegalArgument(`the number of source shards [${shards}] must be a multiple of [${target}]`);
  }
  if (verb === 'split') {
    if (target < shards) {
      throw illegalArgument(
        `the number of source shards [${shards}] must be less that the number of target shards [${target}]`,
      );
    }
    if (target % shards !== 0)
      throw illegalArgument(`the number of source shards [${shards}] must be a factor of [${target}]`);
    const routing = routingShards(source);
    if (shards > 1 && routing % target !== 0) {
      throw new EngineError(
        'illegal_state_exception',
        `the number of routing shards [${routing}] must be a multiple of the target shards [${target}]`,
        { status: 500 },
      );
    }
  }
}

/** Settings that belong to the source itself. */
const OWN_SETTINGS: ReadonlySet<string> = new Set([
  'index.uuid',
  'index.creation_date',
  'index.provided_name',
  'index.version.created',
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.number_of_routing_shards',
  'index.resize.unfinished',
]);

function copiedSettings(source: IndexInfo, removed: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(source.settings))
    if (!OWN_SETTINGS.has(key) && !removed.includes(key)) out[key] = value;
  return { ...out, 'index.resize.source.name': source.name, 'index.resize.source.uuid': source.uuid };
}

/** A setting of an index that is being filled. */
const UNFINISHED = 'index.resize.unfinished';

/** Deletes what a copy left behind when the process ended: an index with only some of the documents. */
export async function deleteUnfinishedCopies(engine: Engine): Promise<void> {
  const names = engine.indices
    .names()
    .filter((name) => UNFINISHED in (engine.indices.info(name)?.settings ?? {}));
  if (names.length > 0) await engine.indices.delete(names);
}

/** Creates an index and fills it. Its blocks are set at the end. An index that could not be filled is deleted again. */
async function copyIndex(
  services: Services,
  source: IndexInfo,
  { name, body }: { readonly name: string; readonly body: IndexBody },
  task: RunningTask,
  signal: AbortSignal,
): Promise<void> {
  const { engine } = services;
  const isBlock = (key: string): boolean => key.startsWith('index.blocks.');
  const all = Object.entries(body.settings);
  const settings = { ...Object.fromEntries(all.filter(([key]) => !isBlock(key))), [UNFINISHED]: 'true' };
  const blocks = Object.fromEntries(all.filter(([key]) => isBlock(key)));
  // The snapshot of a copy has to see what only a refresh would show.
  await engine.indices.refresh([source.name]);
  await engine.indices.create(name, { ...body, settings });
  try {
    await copyDocuments(services, source, name, task, signal);
    await engine.indices.refresh([name]);
    await engine.indices.putSettings({ [name]: { ...blocks, [UNFINISHED]: null } });
  } catch (error) {
    await engine.indices.delete([name]);
    throw error;
  }
}

async function copyDocuments(
  services: Services,
  source: IndexInfo,
  name: string,
  task: RunningTask,
  signal: AbortSignal,
): Promise<void> {
  const target = indexTarget(services.engine, source.name);
  if (target === undefined) throw indexMissing(source.name, SEARCH_OPTIONS);
  const outcome = newOutcome();
  task.status = () => progress(outcome, { created: true, updated: true });
  const pages = localPages(services, target, emptySpec(), signal);
  const plan = {
    ...{ maxDocs: Number.MAX_SAFE_INTEGER, size: Math.min(PAGE_DOCUMENTS, services.limits.pageSize) },
    proceedsOnConflict: false,
    change: ({ id, type, routing, version, source }: FoundDocument): WriteOp => ({
      ...{ kind: 'index', index: name, id, type, source, version, versionType: 'external' },
      ...(routing === undefined ? {} : { routing }),
    }),
  };
  try {
    await changePages(services, plan, { pages, pace: new Pace(-1), task, outcome });
  } finally {
    await pages.close();
  }
  const [failure] = outcome.failures;
  if (failure !== undefined)
    throw new EngineError('exception', `a document could not be copied: ${JSON.stringify(failure)}`);
  if (task.signal.aborted) throw new EngineError('exception', 'the copy was cancelled');
}
