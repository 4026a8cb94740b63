// Reads the tests of a folder and evaluates their `skip` sections.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Skipped } from './failed.ts';
import { readYaml, textOf, type Value, type ValueMap } from './values.ts';

export interface TestFile {
  /** Path from the suite, with `/`. */
  readonly path: string;
  readonly setup: readonly Value[];
  readonly teardown: readonly Value[];
  readonly tests: readonly { readonly name: string; readonly steps: readonly Value[] }[];
  /** The reason if the file cannot be read; it then counts as one failed test. */
  readonly broken?: string;
}

export function readSuite(folder: string): TestFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ya?ml$/.test(path))
    .sort()
    .map((path) => readFile(folder, path));
}

function readFile(folder: string, path: string): TestFile {
  let setup: Value[] = [];
  let teardown: Value[] = [];
  const tests: { name: string; steps: Value[] }[] = [];
  try {
    for (const document of readYaml(readFileSync(join(folder, path), 'utf8'))) {
      for (const [name, steps] of (document as ValueMap | null) ?? []) {
        const list = (steps ?? []) as Value[];
        if (name === 'setup') setup = list;
        else if (name === 'teardown') teardown = list;
        else tests.push({ name, steps: list });
      }
    }
  } catch (error) {
    return {
      path,
      setup,
      teardown,
      tests: [{ name: '(file)', steps: [] }],
      broken: (error as Error).message,
    };
  }
  return { path, setup, teardown, tests };
}

/** The runner features that tests may require and this runner has. */
const FEATURES = new Set([
  'allowed_warnings',
  'allowed_warnings_regex',
  'arbitrary_key',
  'catch_unauthorized',
  'close_to',
  'contains',
  'default_shards',
  'embedded_stash_key',
  'headers',
  'node_selector',
  'regex',
  'stash_in_key',
  'stash_in_path',
  'warnings',
  'warnings_regex',
  'yaml',
]);

/** Throws Skipped if a `skip` step applies. */
export function judgeSkip(steps: readonly Value[], version: string): void {
  const skip = steps.find((step) => step instanceof Map && step.has('skip')) as ValueMap | undefined;
  const spec = skip?.get('skip');
  if (!(spec instanceof Map)) return;
  const features = spec.get('features') ?? [];
  for (const feature of (Array.isArray(features) ? features : [features]).flatMap((item) =>
    textOf(item).split(','),
  )) {
    if (feature.trim() !== '' && !FEATURES.has(feature.trim())) throw new Skipped(`needs ${feature.trim()}`);
  }
  const ranges = spec.get('version');
  if (
    ranges !== undefined &&
    textOf(ranges)
      .split(',')
      .some((range) => within(range, version))
  ) {
    throw new Skipped(`version ${textOf(ranges)}`);
  }
}

/** Ranges such as ` - 2.99.99`, `3.0.0 - ` or `all`. Majors 5 to 9 (Elasticsearch) count as older than OpenSearch 1. */
function within(range: string, version: string): boolean {
  if (range.trim().toLowerCase() === 'all') return true;
  const [, low = '', high = ''] = /^(.*?)(?:\s+-|^-|-\s+)(.*)$/.exec(` ${range.trim()} `) ?? [];
  const value = ordinal(version, 0);
  return (
    (low.trim() === '' || ordinal(low, 0) <= value) && (high.trim() === '' || value <= ordinal(high, 999))
  );
}

/** A version as one number; missing parts are filled with `rest`. */
function ordinal(version: string, rest: number): number {
  const parts = version.trim().split(/[.-]/).slice(0, 3).map(Number);
  const [major = 0, minor = rest, patch = rest] = parts;
  return (major >= 5 ? 0 : 1e9) + major * 1e6 + minor * 1e3 + patch;
}
