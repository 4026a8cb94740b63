// The `_rollover` endpoints: once an index is old, large or full enough, its alias gets a new index to write to.

import {
  type Engine,
  type IndexInfo,
  illegalArgument,
  integerMember,
  isObject,
  type JsonObject,
  type JsonValue,
  Members,
  plainText,
} from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { bytesText, millisText, parseByteSize } from '../../json/units.ts';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { applySteps } from '../aliases/alias-steps.ts';
import { replicasOf, WAIT_PARAMS } from '../resolve/scope.ts';
import { hasEnoughShards } from '../resolve/shards.ts';
import { parseMillis } from '../router/query-params.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { parseIndexBody } from '../templates/index-body.ts';
import { createFrom, freeName } from './create.ts';

/** The rows of this family. */
export const rolloverRoutes: readonly Route[] = ['/{index}/_rollover', '/{index}/_rollover/{target}'].map(
  (path): Route => ({
    methods: ['POST'],
    path,
    params: [...WAIT_PARAMS, 'dry_run', 'wait_for_active_shards'],
    handle: rollover,
  }),
);

/** One condition: how it is printed, and whether an index meets it. */
interface Condition {
  readonly text: string;
  readonly isMet: (info: IndexInfo, engine: Engine) => boolean;
}

async function rollover(call: Call, { engine }: Services): Promise<Reply> {
  const { index: alias = '', target } = call.path;
  const { conditions, index: body } = readRollover(call.object());
  hasEnoughShards(call.params, 0);
  const source = writeIndexOf(engine, alias);
  const requested = target ?? nextName(source);
  const name = freeName(engine, requested);
  const met = conditions.map((each): [string, boolean] => [each.text, each.isMet(source, engine)]);
  const isDryRun = call.params.boolean('dry_run') === true;
  const rollsOver = !isDryRun && (met.length === 0 || met.some(([, isMet]) => isMet));
  let hasShards = false;
  if (rollsOver) {
    const info = await createFrom(engine, requested, parseIndexBody(body));
    try {
      await moveAlias(engine, alias, source, name);
    } catch (error) {
      await engine.indices.delete([name]);
      throw error;
    }
    hasShards = hasEnoughShards(call.params, replicasOf(info));
  }
  const reply: ReplyObject = {
    acknowledged: rollsOver,
    shards_acknowledged: hasShards,
    old_index: source.name,
    new_index: name,
    rolled_over: rollsOver,
    dry_run: isDryRun,
    conditions: Object.fromEntries(met),
  };
  return { body: reply };
}

function readRollover(body: JsonObject): {
  readonly conditions: readonly Condition[];
  readonly index: JsonObject;
} {
  const members = new Members('rollover', body);
  const conditions = members.nested('conditions', (value) => {
    if (!isObject(value)) throw members.wrongType('conditions', value);
    return readConditions(value);
  });
  const index: JsonObject = {};
  for (const name of ['settings', 'mappings', 'aliases']) {
    const value = members.object(name);
    if (value !== undefined) index[name] = value;
  }
  members.end();
  return { conditions: conditions ?? [], index };
}

function readConditions(body: JsonObject): Condition[] {
  const members = new Members('conditions', body);
  const conditions: Condition[] = [];
  const read = (name: string, parse: (value: JsonValue) => Condition): void => {
    const condition = members.nested(name, parse);
    if (condition !== undefined) conditions.push(condition);
  };
  read('max_age', (value) => {
    const millis = parseMillis(plainText(value), 'max_age');
    return {
      text: `[max_age: ${millisText(millis)}]`,
      isMet: ({ createdAt }) => Date.now() - createdAt >= millis,
    };
  });
  read('max_docs', (value) => {
    const count = integerMember('max_docs', value);
    return {
      text: `[max_docs: ${count}]`,
      isMet: ({ name }, engine) => engine.indices.stats(name).docCount >= count,
    };
  });
  read('max_size', (value) => {
    const bytes = parseByteSize(plainText(value), 'max_size');
    return {
      text: `[max_size: ${bytesText(bytes)}]`,
      isMet: ({ name }, engine) => engine.indices.stats(name).diskBytes >= bytes,
    };
  });
  members.end();
  return conditions;
}

/** The index that writes to an alias go to. */
function writeIndexOf({ indices }: Engine, alias: string): IndexInfo {
  if (indices.info(alias) !== undefined) {
    throw illegalArgument(
      'rollover target is a [concrete index] but one of [alias,data_stream] was expected',
    );
  }
  const holders = indices
    .names()
    .flatMap((name) => indices.info(name) ?? [])
    .filter(({ aliases }) => Object.hasOwn(aliases, alias));
  if (holders.length === 0) throw illegalArgument(`rollover target [${alias}] does not exist`);
  const writer = holders.find(({ aliases }) => aliases[alias]!.isWriteIndex === true);
  const [only] = holders;
  if (writer !== undefined) return writer;
  if (holders.length === 1 && only!.aliases[alias]!.isWriteIndex !== false) return only!;
  throw illegalArgument(`rollover target [${alias}] does not point to a write index`);
}

/** The name with the next number, of six digits; date maths in a name stay. */
function nextName({ name, settings }: IndexInfo): string {
  const provided = settings['index.provided_name'] ?? name;
  const hasDate = resolveDateMathName(provided) !== provided;
  const plain = hasDate ? provided.slice(0, -1) : provided;
  const match = /^(.*-)(\d{1,15})$/s.exec(plain);
  if (match === null) throw illegalArgument(`index name [${name}] does not match pattern '^.*-\\d+$'`);
  const next = String(Number(match[2]) + 1).padStart(6, '0');
  return `${match[1]}${next}${hasDate ? '>' : ''}`;
}

/** Makes the new index the one that is written to. An alias that names its write index stays on the old one, too. */
async function moveAlias(engine: Engine, alias: string, source: IndexInfo, name: string): Promise<void> {
  const spec = source.aliases[alias]!;
  const isExplicit = spec.isWriteIndex === true;
  await applySteps(engine, [
    isExplicit
      ? { add: { index: source.name, alias, spec: { ...spec, isWriteIndex: false } } }
      : { remove: { index: source.name, alias } },
    { add: { index: name, alias, spec } },
  ]);
}
