// The rules of writing: headers that state what a file is, names of files, and words and characters that must not be there.

import { codeLines, type Finding, isTest, type Project } from './project.ts';

/** Files that may build regular expressions, all from text of our own. */
const MAY_BUILD_REGEXP: readonly string[] = [];

/** Production files of one folder. */
const MOST_FILES = 16;

interface Rule {
  readonly applies: (path: string) => boolean;
  readonly pattern: RegExp;
  readonly message: string;
}

const product = (path: string): boolean =>
  /^(?:packages\/(?:engine|server|paging)|apps\/[^/]+)\/src\//.test(path) && !isTest(path);
// The tests of the rules hold bad examples of each.
const test = (path: string): boolean => isTest(path) && path !== 'scripts/tidy.test.ts';
const code = (path: string): boolean => /\.(tsx?|js)$/.test(path) && !path.startsWith('scripts/tidy');

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
  const filesIn = new Map<string, number>();
  for (const [path, text] of project) {
    const add = (line: number, message: string): void => void findings.push({ path, line, message });
    if (/(^|\/)(utils?|commons?|helpers?|misc)(\.|\/)/i.test(path)) {
      add(1, 'a name that attracts everything; name it after what it holds');
    }
    if (/\.(tsx?|js)$/.test(path)) {
      const header = headerOf(text);
      if (header === '' && !isTest(path))
        add(1, 'the first line is a comment: a header that says what the file is');
      if (/^[^.:;]*\?(\s|$)/.test(header)) add(1, 'the header asks; let it state what the file is');
      if (path.includes('/src/') && !isTest(path))
        filesIn.set(folderOf(path), (filesIn.get(folderOf(path)) ?? 0) + 1);
      addMatches(path, codeLines(text), LINE_RULES, add);
    }
    addMatches(path, text.split('\n'), TEXT_RULES, add);
  }
  for (const [path, files] of filesIn)
    if (files > MOST_FILES)
      findings.push({
        path,
        line: 1,
        message: `${files} files; ${MOST_FILES} is the most: give its parts folders`,
      });
  return findings;
}

/** The comment at the start of a file, without the marks of comments. */
function headerOf(text: string): string {
  const comment = /^(?:#!.*\n)?((?:\/\/.*\n?)+|\/\*[\s\S]*?\*\/)/.exec(text)?.[1] ?? '';
  return comment.replace(/^\/\/ ?|^\/\*\*?|\*\/$/gm, '').trim();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
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
