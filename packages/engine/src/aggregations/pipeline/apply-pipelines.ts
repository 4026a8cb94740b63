// Runs pipelines over finished results: inner levels first, and on each level in the order in which they read
// each other.

import type { AggregationResults } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { AggregationSpec, PipelineKind } from '../kind.ts';

/** Buckets between two yields. */
const SLICE = 64;

/** Throws for pipelines that stand in the wrong place or read each other in a ring. */
export function checkPipelines(specs: readonly AggregationSpec[]): void {
  const wrong = findMisplaced(specs, undefined);
  if (wrong.length === 0) return;
  const list = wrong.map((each, i) => `${i + 1}: ${each};`).join('');
  throw new EngineError('action_request_validation_exception', `Validation Failed: ${list}`);
}

function findMisplaced(specs: readonly AggregationSpec[], parent: AggregationSpec | undefined): string[] {
  const wrong: string[] = [];
  for (const spec of specs) {
    const pipeline = pipelineOf(spec);
    const paths = pipeline?.paths(spec.options) ?? [];
    const found =
      pipeline?.check?.(spec.options, spec.name, parent, specs) ??
      paths.map((path) => findMissing(path, specs)).find((each) => each !== undefined);
    if (found !== undefined) wrong.push(found);
    wrong.push(...findMisplaced(spec.subs, spec));
  }
  inOrder(specs);
  return wrong;
}

/** What a path names that is not there. */
function findMissing(path: string, specs: readonly AggregationSpec[]): string | undefined {
  let level = specs;
  for (const [i, step] of path.split('>').entries()) {
    const name = step.split(/[.[]/)[0]!;
    if (name.startsWith('_')) return undefined;
    const found = level.find((each) => each.name === name || each.name === step);
    if (found === undefined)
      return i === 0
        ? `No aggregation found for path [${path}]`
        : `No aggregation [${name}] found for path [${path}]`;
    level = found.subs;
  }
  return undefined;
}

/** Runs the pipelines of a level and of those below it. */
export function* applyPipelines(
  specs: readonly AggregationSpec[],
  results: AggregationResults,
  parent: AggregationSpec | undefined,
  context: AggregationContext,
): Steps<void> {
  for (const spec of specs) {
    const result = results.get(spec.name);
    if (result === undefined || !hasPipelines(spec.subs)) continue;
    if (result.shape === 'bucket') yield* applyPipelines(spec.subs, result.aggregations, spec, context);
    if (result.shape !== 'buckets') continue;
    let looked = 0;
    for (const { aggregations } of result.buckets) {
      yield* applyPipelines(spec.subs, aggregations, spec, context);
      if (++looked % SLICE === 0) yield;
    }
    for (const sub of inOrder(spec.subs)) {
      const own = { name: sub.name, meta: sub.meta, parent: spec, neighbours: spec.subs, context };
      const steps = pipelineOf(sub)?.change?.(sub.options, result, own);
      if (steps !== undefined) yield* steps;
    }
  }
  for (const spec of inOrder(specs)) {
    const compute = pipelineOf(spec)?.compute;
    if (compute === undefined) continue;
    const own = { name: spec.name, meta: spec.meta, parent, neighbours: specs, context };
    results.set(spec.name, compute(spec.options, results, own));
  }
}

function pipelineOf({ kind }: AggregationSpec): PipelineKind | undefined {
  return kind.role === 'parent pipeline' || kind.role === 'sibling pipeline' ? kind : undefined;
}

function hasPipelines(specs: readonly AggregationSpec[]): boolean {
  return specs.some((spec) => pipelineOf(spec) !== undefined || hasPipelines(spec.subs));
}

/** The pipelines of a level, each behind those that it reads. */
function inOrder(specs: readonly AggregationSpec[]): AggregationSpec[] {
  const pipelines = specs.filter((spec) => pipelineOf(spec) !== undefined);
  const sorted: AggregationSpec[] = [];
  const visit = (spec: AggregationSpec, open: readonly AggregationSpec[]): void => {
    if (sorted.includes(spec)) return;
    if (open.includes(spec))
      throw illegalArgument(`Cyclical dependency found with pipeline aggregator [${spec.name}]`);
    for (const path of pipelineOf(spec)!.paths(spec.options)) {
      const first = path.split(/[>.[]/)[0];
      const other = pipelines.find(({ name }) => name === first || name === path);
      if (other !== undefined) visit(other, [...open, spec]);
    }
    sorted.push(spec);
  };
  for (const spec of pipelines) visit(spec, []);
  return sorted;
}
