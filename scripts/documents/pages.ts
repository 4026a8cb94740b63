// The pages whose commands are tested: README.md and docs, without the decisions (records of the past) and the pages that
// consist of generated figures.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy.ts';

const LEFT_OUT = [
  'docs/node_modules/',
  'docs/.vitepress/',
  'docs/decisions/',
  'docs/benchmarks-cases.md',
  'docs/reference/segment-format.md',
];

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export function pages(): Page[] {
  const found = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !LEFT_OUT.some((start) => path.startsWith(start)));
  return ['README.md', ...found.sort()].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}
