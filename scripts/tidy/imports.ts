// The modules that a file names: static imports and exports, and dynamic imports of a plain string.

import { codeLines } from './project.ts';

/** One import. Type-only ones leave no trace at run time. */
export interface Import {
  readonly line: number;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

// An import or export ends at its `from`; nothing between holds a quote or a semicolon.
const STATIC = /^[ \t]*(import|export)(\s+type\b)?([^'";]*?\bfrom\s*)?\s*['"]([^'"\n]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

export function importsOf(text: string): Import[] {
  const imports: Import[] = [];
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  for (const match of text.matchAll(STATIC)) {
    const [, keyword, type, from, specifier = ''] = match;
    if (keyword === 'export' && from === undefined) continue;
    imports.push({ line: lineAt(match.index), specifier, typeOnly: type !== undefined });
  }
  const code = codeLines(text).join('\n');
  const codeLineAt = (index: number): number => code.slice(0, index).split('\n').length;
  for (const match of code.matchAll(DYNAMIC)) {
    // `import('x').Type` in a type position cannot be told from a call here; it counts as a call.
    imports.push({ line: codeLineAt(match.index), specifier: match[1] ?? '', typeOnly: false });
  }
  return imports;
}

/** The path that a relative import leads to. */
export function resolveImport(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
