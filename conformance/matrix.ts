// Writes the tables of docs/compatibility.md from a run of the REST tests:
//
//   npm run conformance -- --suite DIR --json RUN.json; node conformance/matrix.ts RUN.json

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../docs/compatibility.md', import.meta.url));
const BEGIN = '<!-- made by conformance/matrix.ts: begin -->';
const END = '<!-- made by conformance/matrix.ts: end -->';

/** The part of a run that the tables need. */
export interface Run {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly folders: Readonly<Record<string, { passed: number; failed: number; skipped: number }>>;
  readonly tests: readonly { readonly file: string; readonly outcome: string; readonly detail: string }[];
}

/** A table of folders, and one of the reasons why tests fail. */
export function matrixOf({ passed, failed, skipped, folders, tests }: Run, at: string): string {
  const rows = Object.entries(folders).map(([folder, { passed, failed }]) => {
    const share = passed + failed === 0 ? '–' : `${Math.floor((100 * passed) / (passed + failed))} %`;
    return `| ${folder} | ${passed} | ${failed} | ${share} |`;
  });
  const causes = new Map<string, { count: number; folders: Set<string> }>();
  for (const { file, outcome, detail } of tests) {
    if (outcome !== 'failed') continue;
    const cause = causes.get(causeOf(detail)) ?? { count: 0, folders: new Set() };
    causes.set(causeOf(detail), cause);
    cause.count++;
    cause.folders.add(file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  }
  const reasons = [...causes]
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .map(([cause, { count, folders }]) => `| ${cause} | ${count} | ${[...folders].sort().join(', ')} |`);
  const share = ((100 * passed) / Math.max(1, passed + failed)).toFixed(1);
  return [
    `Run of ${at}: ${passed} tests pass, ${failed} fail, ${skipped} do not apply (other versions): ${share} % of those that apply.`,
    ['| folder | pass | fail | share |', '| --- | --: | --: | --: |', ...rows].join('\n'),
    'Why tests fail, by the error or by the member of the reply that differs:',
    ['| reason | tests | folders |', '| --- | --: | --- |', ...reasons].join('\n'),
  ].join('\n\n');
}

/** The reason of an error without the names of one test; otherwise what was expected. */
function causeOf(detail: string): string {
  const reason = /"reason":"((?:[^"\\]|\\.)*)/.exec(detail)?.[1];
  const [first = ''] = (reason ?? detail.replace(/^(setup|step|teardown) \d+: /, '')).split(/: |; |, but /);
  const plain = first
    .replace(/(type \[nested\] of field) \[[^\]]*\] is/, '$1s are')
    .replace(/No handler for type (\[\w+\]).*/, 'fields of type $1 are not supported')
    .replace(/ by this server.*/, '')
    .replace(/ (did you mean|please check).*/, '')
    .replaceAll('|', '\\|');
  return plain.length > 90 ? `${plain.slice(0, 89)}…` : plain;
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    process.stderr.write('usage: node conformance/matrix.ts RUN.json\n');
    process.exitCode = 2;
  } else {
    const page = readFileSync(PAGE, 'utf8');
    const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
    if (begin === -1 || end < begin) throw new Error(`${PAGE} has no ${BEGIN} … ${END}`);
    const run = JSON.parse(readFileSync(file, 'utf8')) as Run;
    const tables = matrixOf(run, new Date().toISOString().slice(0, 10));
    writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${tables}\n\n${page.slice(end)}`);
  }
}
