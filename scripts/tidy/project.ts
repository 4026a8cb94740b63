// The text files of the repository, by their path from its root, with `/` between folders.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path to text. Tests of the rules make small ones by hand. */
export type Project = ReadonlyMap<string, string>;

/** One broken rule. Lines count from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const LEFT_OUT = new Set([
  '.git',
  'node_modules',
  'dist',
  'data',
  'results',
  'assets',
  'fixtures',
  'package-lock.json',
]);
const READ = /\.(tsx?|js|json|md|yml)$/;

/** Reads the files on disk, whether committed or not. */
export function readProject(root: string): Project {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (READ.test(entry.name)) files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  };
  walk('');
  return files;
}

export function isTest(path: string): boolean {
  return /\.(test|testing|fixture)\.tsx?$/.test(path) || path.includes('/test/');
}

/** The code of a file, line by line, with comments that fill whole lines made empty. */
export function codeLines(text: string): string[] {
  let inBlock = false;
  return text.split('\n').map((line) => {
    const start = line.trimStart();
    if (inBlock) {
      inBlock = !line.includes('*/');
      return '';
    }
    if (start.startsWith('//')) return '';
    if (start.startsWith('/*')) {
      inBlock = !line.includes('*/');
      return '';
    }
    return line;
  });
}
