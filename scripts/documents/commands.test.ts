// Every command in README.md and docs works: a shell runs the code blocks of each page in order against a fresh server.
// A block that cannot run carries a mark with the reason (code-blocks.ts).

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program } from '../../packages/server/src/cli/main.ts';
import { ROOT } from '../tidy.ts';
import { codeBlocks, indentedCode } from './code-blocks.ts';
import { pages } from './pages.ts';
import { fits, runPage } from './run-page.ts';

const RUN = new Set(['sh', 'ts', 'js', 'python', 'go']);
const SHOWN = new Set(['', 'text', 'json', 'yaml', 'ini', 'html', 'css', 'sql', 'http', 'promql']);
const PAGES = pages();
const AT_ONCE = 2;

test('the blocks of every page run, and print what the page says', {
  concurrency: AT_ONCE,
}, async (suite) => {
  const runs = PAGES.map(({ path, text }) =>
    suite.test(path, async (page) => {
      const blocks = codeBlocks(text);
      // scripts/release.test.ts runs it with installed packages.
      if (path === 'docs/tutorial.md') return;
      if (!blocks.some(({ language, mark }) => RUN.has(language) && mark?.kind !== 'not run')) return;
      const { failure, lacking } = await runPage(blocks);
      assert.equal(failure, '', path);
      for (const program of lacking) page.diagnostic(`not run: ${program} is not installed`);
    }),
  );
  await Promise.all(runs);
});

test('a block of another language says why it is not run, and no code is indented', () => {
  for (const { path, text } of PAGES) {
    assert.deepEqual(indentedCode(text), [], `${path}: indented code has no language; use a fence`);
    for (const { language, mark, line, file } of codeBlocks(text)) {
      const isKnown = RUN.has(language) || SHOWN.has(language) || file !== undefined;
      assert.ok(
        isKnown || mark?.kind === 'not run',
        `${path}:${line}: ${language} needs a reason not to run`,
      );
      if (mark?.kind === 'not run') assert.ok(mark.reason.length > 8, `${path}:${line}: the reason`);
    }
  }
});

test('every npm script, octavo command, flag and file of a command in a page exists', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = new Map((await program()).commands.map((command) => [command.name(), flagsOf(command)]));
  for (const { path, text } of PAGES) {
    for (const [, run, short] of text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test|start)\b)/g))
      assert.ok(Object.hasOwn(scripts, run ?? short ?? ''), `${path}: npm ${run ?? short}`);
    for (const [, file] of text.matchAll(/\bnode ((?:bench|scripts|packages|conformance)\/[\w./-]+)/g))
      assert.ok(existsSync(join(ROOT, file!)), `${path}: node ${file}`);
    if (path === 'docs/reference/cli.md') continue;
    for (const [line, name = ''] of text.replaceAll('\\\n', ' ').matchAll(/\boctavo ([a-z]+) [^\n`|#]*/g)) {
      const options = commands.get(name);
      for (const [flag] of options === undefined ? [] : line.matchAll(/(?<=\s)--[a-z][\w-]*/g))
        assert.ok(options?.has(flag) || flag === '--help', `${path}: octavo ${name} ${flag}`);
    }
  }
});

type Command = Awaited<ReturnType<typeof program>>;

/** The flags of a command and its subcommands. */
function flagsOf(command: Command): Set<string> {
  const own = command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']);
  return new Set([...own, ...command.commands.flatMap((each) => [...flagsOf(each)])]);
}

test('… stands for anything', () => {
  assert.ok(fits('a 1 b 2', 'a … b …') && fits('same', 'same') && fits('abab', '…ab'));
  assert.ok(!fits('a 1 c', 'a … b') && !fits('same!', 'same') && !fits('ab', 'ab…ab'));
});

test('marks are read, and stand right before their block', () => {
  const page =
    '<!-- not run: needs a cluster -->\n\n```sh\nx\n```\n<!-- printed -->\ntext\n```text\ny\n```\n';
  const [first, second] = codeBlocks(page);
  assert.deepEqual(first?.mark, { kind: 'not run', reason: 'needs a cluster' });
  assert.equal(second?.mark, undefined);
});
