// The `_cluster/health` endpoints: the health of indices, and waiting for a better one.

import { type Engine, EngineError, type IndexInfo, illegalArgument } from '@octavo/engine';
import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS, resolveIndices, resolveOptions } from '../resolve/resolve.ts';
import { HIDDEN_SCOPE, replicasOf, shardsOf } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { activePercent, type Colour, type Health, healthOf, healthOfAll } from './health.ts';

const RANKS: Readonly<Record<Colour, number>> = { green: 0, yellow: 1, red: 2 };

/** How often the health is checked while a call waits. */
const POLL_MS = 50;

/** The conditions that a call waits for. */
interface WaitConditions {
  readonly status: Colour | undefined;
  readonly nodes: (count: number) => boolean;
  readonly shards: (health: Health) => boolean;
}

async function health(call: Call, services: Services): Promise<Reply> {
  const conditions = readConditions(call);
  const deadline = Date.now() + (call.params.millis('timeout') ?? 30_000);
  for (;;) {
    const { infos, missing } = look(call, services);
    const now: Health = missing ? { ...healthOfAll(infos), status: 'red' } : healthOfAll(infos);
    const isMet =
      !missing &&
      (conditions.status === undefined || RANKS[now.status] <= RANKS[conditions.status]) &&
      conditions.nodes(1) &&
      conditions.shards(now);
    const late = Date.now() >= deadline || call.signal.aborted;
    if (isMet || late) return { status: isMet ? 200 : 408, body: show(call, services, infos, now, !isMet) };
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(POLL_MS, Math.max(1, deadline - Date.now()))),
    );
  }
}

function look(call: Call, { engine }: Services): { infos: IndexInfo[]; missing: boolean } {
  const options = { ...resolveOptions(call.params, HIDDEN_SCOPE), allowNoIndices: true };
  const expression = call.path['index'] ?? call.params.string('index');
  try {
    return { infos: resolveIndices(engine, expression, options).map(({ info }) => info), missing: false };
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.type === 'index_not_found_exception')
      return { infos: [], missing: true };
    throw thrown;
  }
}

function readConditions({ params }: Call): WaitConditions {
  const status = params.string('wait_for_status')?.toLowerCase();
  if (status !== undefined && !Object.hasOwn(RANKS, status)) {
    throw illegalArgument(`unknown cluster health status [${status}]: expected green, yellow or red`);
  }
  const shards = params.string('wait_for_active_shards');
  if (shards !== undefined && shards !== 'all' && !/^\d{1,9}$/.test(shards)) {
    const causedBy = new EngineError('number_format_exception', `For input string: "${shards}"`);
    throw new EngineError('illegal_argument_exception', `cannot parse ActiveShardCount[${shards}]`, {
      causedBy,
    });
  }
  return {
    status: status as Colour | undefined,
    nodes: nodesTest(params.string('wait_for_nodes')),
    shards: (now) =>
      shards === undefined || (shards === 'all' ? now.unassigned === 0 : now.primaries >= Number(shards)),
  };
}

/** `3`, `>=2`, `<4`, `ge(2)`, … */
function nodesTest(text: string | undefined): (count: number) => boolean {
  if (text === undefined) return () => true;
  const match = /^(>=|<=|>|<|)\s*(\S+)$/.exec(
    text.replace(/^(ge|le|gt|lt)\((.*)\)$/, (_, word: string, n: string) => SIGNS[word] + n),
  );
  const [, sign = '', digits = text] = match ?? [];
  if (!/^\d{1,9}$/.test(digits))
    throw new EngineError('number_format_exception', `For input string: "${digits}"`);
  const expected = Number(digits);
  if (sign === '>=') return (count) => count >= expected;
  if (sign === '<=') return (count) => count <= expected;
  if (sign === '>') return (count) => count > expected;
  if (sign === '<') return (count) => count < expected;
  return (count) => count === expected;
}

const SIGNS: Readonly<Record<string, string>> = { ge: '>=', le: '<=', gt: '>', lt: '<' };

function show(
  call: Call,
  { engine, options }: Services,
  infos: readonly IndexInfo[],
  now: Health,
  timedOut: boolean,
): ReplyObject {
  const level = call.params.string('level');
  return {
    cluster_name: options.clusterName,
    status: now.status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...(options.compat === 'opensearch' && { discovered_master: true, discovered_cluster_manager: true }),
    ...counts(now, options.compat),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: double(activePercent(healthOfAll(everyIndex(engine)))),
    ...((level === 'indices' || level === 'shards') && {
      indices: showIndices(infos, level === 'shards', options.compat),
    }),
  };
}

/** All indices: the percentage of active shards is always that of the whole cluster. */
function everyIndex(engine: Engine): IndexInfo[] {
  return engine.indices.names().flatMap((name) => engine.indices.info(name) ?? []);
}

type Compat = Services['options']['compat'];

function counts({ primaries, unassigned }: Health, compat: Compat): ReplyObject {
  return {
    active_primary_shards: primaries,
    active_shards: primaries,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
    // Elasticsearch has it since 8.16. A node has all primaries of its indices.
    ...(compat === 'elasticsearch' && { unassigned_primary_shards: 0 }),
  };
}

function showIndices(infos: readonly IndexInfo[], withShards: boolean, compat: Compat): ReplyObject {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of infos) {
    const own = healthOf(info);
    out[info.name] = {
      status: own.status,
      number_of_shards: shardsOf(info),
      number_of_replicas: replicasOf(info),
      ...counts(own, compat),
      ...(withShards && { shards: showShards(info, own, compat) }),
    };
  }
  return out;
}

function showShards(info: IndexInfo, { status }: Health, compat: Compat): ReplyObject {
  const out: ReplyObject = {};
  const { active_primary_shards: _, ...rest } = counts(
    { status, primaries: 1, unassigned: replicasOf(info) },
    compat,
  );
  for (let shard = 0; shard < shardsOf(info); shard++) {
    out[String(shard)] = { status, primary_active: true, ...rest };
  }
  return out;
}

const PARAMS = [
  ...RESOLVE_PARAMS,
  ...[
    'level',
    'local',
    'timeout',
    'cluster_manager_timeout',
    'master_timeout',
    'index',
    'awareness_attribute',
  ],
  ...['wait_for_status', 'wait_for_nodes', 'wait_for_active_shards', 'wait_for_events'],
  ...['wait_for_no_relocating_shards', 'wait_for_no_initializing_shards', 'ensure_node_weighed_in'],
];

/** The rows of this family. */
export const healthRoutes: readonly Route[] = ['/_cluster/health', '/_cluster/health/{index}'].map(
  (path): Route => ({ methods: ['GET'], path, params: PARAMS, handle: health }),
);
