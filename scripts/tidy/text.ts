// Does each file keep to the rules of writing? Heads, lengths, names, and words that must not be there.

import { codeLines, type Finding, isTest, type Project } from './project.ts';

const LONGEST = 400;

/** Tables of data: one row a line, nothing to split. */
const LONG_TABLES: readonly string[] = ['packages/engine/src/analysis/'];

/** Files that may build regular expressions, all from text of our own. */
const MAY_BUILD_REGEXP: readonly string[] = [];

interface Rule {
  readonly applies: (path: string) => boolean;
  readonly pattern: RegExp;
  readonly message: string;
}

const product = (path: string): boolean =>
  /^packages\/(engine|server|paging)\/src\//.test(path) && !isTest(path);
// The tests of the rules hold bad examples of each.
const test = (path: string): boolean => isTest(path) && path !== 'scripts/tidy.test.ts';
const code = (path: string): boolean => /\.(ts|js)$/.test(path) && !path.startsWith('scripts/tidy');

/** Rules about single lines of code (comments that fill a line are left out). */
const LINE_RULES: readonly Rule[] = [
  {
    applies: (path) => product(path) && !MAY_BUILD_REGEXP.includes(path),
    pattern: /\bnew RegExp\(|[^.\w]RegExp\(/,
    message: 'no RegExp is built from text: what a user sends could make it run for ever',
  },
  {
    applies: product,
    pattern: /\bObject\.assign\(/,
    message: 'Object.assign copies __proto__ from parsed JSON; spread or copy by name',
  },
  {
    applies: (path) => product(path),
    pattern: /\beval\(|\bnew Function\(/,
    message: 'no code is made from text',
  },
  {
    applies: test,
    pattern: /\b(test|it|describe|suite)\.only\(|\bonly: true\b/,
    message: '.only leaves the other tests out',
  },
  {
    applies: test,
    pattern: /\b(test|it|describe|suite)\.(skip|todo)\(|\bskip: true\b/,
    message: "a skipped test says why: { skip: 'the reason' }",
  },
  {
    applies: (path) => test(path) || path.startsWith('scripts/stores/'),
    pattern:
      /\bfor \(let \w+ = \d+; (?:[^;]*\bawait\b|[^;]*\btries <|[^;]*(?:&&|\|\|)[^;]*;(?:.*\bawait\b|[^{]*$))|\bfunction until\b/,
    message:
      'what a slow machine does later is missed by a wait that counts its turns, and what comes after what was waited for: look for what is asserted until it holds (packages/server/test/eventually.ts)',
  },
  {
    applies: test,
    pattern: /(?<!\bmkdtemp(?:Sync)?\(join\()\btmpdir\(\)/,
    message:
      "test files run side by side, in several checkouts too: mkdtemp makes a folder that is nobody else's",
  },
];

/** Rules about any line, comments included. */
const TEXT_RULES: readonly Rule[] = [
  { applies: code, pattern: /\b(TODO|FIXME|XXX|HACK)\b/, message: 'do it or write it down elsewhere' },
  {
    applies: () => true,
    // Control characters but tab and newline, soft hyphens, byte order marks and marks that change the direction of text.
    pattern: /[^\P{Cc}\t\n]|[\u00ad\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    message: 'a character that cannot be seen; write it as an escape',
  },
];

export function textFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  for (const [path, text] of project) {
    const add = (line: number, message: string): void => void findings.push({ path, line, message });
    if (/(^|\/)(utils?|commons?|helpers?|misc)(\.|\/)/i.test(path)) {
      add(1, 'a name that attracts everything; name it after the question it answers');
    }
    if (/\.(ts|js)$/.test(path)) {
      if (!isTest(path) && !/^(#!.*\n)?(\/\/|\/\*)/.test(text))
        add(1, 'the first line is a comment: the question that the file answers');
      const lines = text.split('\n').length - 1;
      if (lines > LONGEST && !LONG_TABLES.some((table) => path.startsWith(table))) {
        add(LONGEST, `${lines} lines; ${LONGEST} is the most. Which two things are in here?`);
      }
      addMatches(path, codeLines(text), LINE_RULES, add);
    }
    addMatches(path, text.split('\n'), TEXT_RULES, add);
  }
  return findings;
}

function addMatches(
  path: string,
  lines: readonly string[],
  rules: readonly Rule[],
  add: (line: number, message: string) => void,
): void {
  for (const { applies, pattern, message } of rules) {
    if (!applies(path)) continue;
    for (const [at, line] of lines.entries()) if (pattern.test(line)) add(at + 1, message);
  }
}
