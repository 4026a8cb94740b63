// The tables in docs/reference that are made from code. Each stands between two marks; this prints what belongs there and compares.
// `node scripts/reference.ts` writes them.

import { ERROR_TYPES } from '../../packages/engine/src/errors.ts';
import { program } from '../../packages/server/src/cli/main.ts';
import { PROBLEMS } from '../../packages/server/src/errors/problem.ts';
import { LIMITS } from '../../packages/server/src/limits.ts';
import { type MetricInfo, SERVER_METRICS } from '../../packages/server/src/observe/metric-names.ts';
import { ROUTES } from '../../packages/server/src/wire/routes.ts';
import { apiDocument, operationsTable } from './api-table.ts';
import type { Finding, Project } from './project.ts';

const API = operationsTable(await apiDocument());
const PROGRAM = await program();

/** What each document must hold between its marks. */
export const TABLES: Readonly<Record<string, (project: Project) => string>> = {
  'docs/reference/errors.md': errorsTable,
  'docs/reference/limits.md': limitsTable,
  'docs/reference/metrics.md': metricsTable,
  'docs/reference/cli.md': commandHelp,
  'docs/reference/wire.md': endpoints,
  'docs/reference/api.md': () => API,
  'docs/reference/segment-format.md': formats,
};

const BEGIN = '<!-- made by scripts/reference.ts: begin -->';
const END = '<!-- made by scripts/reference.ts: end -->';

export function referenceFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  for (const [path, table] of Object.entries(TABLES)) {
    const text = project.get(path);
    if (text === undefined) findings.push({ path, line: 1, message: 'is missing' });
    else if (withTable(text, table(project)) !== text) {
      const line = text.slice(0, Math.max(0, text.indexOf(BEGIN))).split('\n').length;
      findings.push({ path, line, message: 'is not what the code says; run node scripts/reference.ts' });
    }
  }
  return findings;
}

/** The document with the part between the marks replaced; unchanged where it has no marks but one is wanted: then it gets them. */
export function withTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  const part = `${BEGIN}\n\n${table.trim()}\n\n${END}`;
  if (begin === -1 || end < begin) return `${text.trimEnd()}\n\n${part}\n`;
  return text.slice(0, begin) + part + text.slice(end + END.length);
}

function errorsTable(): string {
  const rows = Object.entries(ERROR_TYPES).map(
    ([type, { status, meaning }]) => `| \`${type}\` | ${status} | ${meaning} |`,
  );
  const problems = Object.entries(PROBLEMS).map(
    ([code, { status, title, remedy }]) => `| \`${code}\` | ${status} | ${title} | ${remedy} |`,
  );
  return [
    '## On the search wire',
    '',
    '| type | status | meaning |',
    '| --- | --: | --- |',
    ...rows,
    '',
    '## Under `/api`',
    '',
    '| code | status | title | what to do |',
    '| --- | --: | --- | --- |',
    ...problems,
  ].join('\n');
}

function limitsTable(): string {
  const rows = Object.entries(LIMITS).map(
    ([name, { value, unit, meaning, beyond }]) =>
      `| \`${name}\` | ${amount(value, unit)} | ${meaning} | ${beyond} |`,
  );
  return ['| name | default | what is counted | beyond it |', '| --- | --: | --- | --- |', ...rows].join(
    '\n',
  );
}

function metricsTable(): string {
  const rows = Object.entries<MetricInfo>(SERVER_METRICS).map(
    ([name, { type, help, labels = [], only = 'all' }]) => {
      const cells = [`\`${name}\``, type, help, labels.map((label) => `\`${label}\``).join(', '), only];
      return `| ${cells.join(' | ')} |`;
    },
  );
  return ['| name | type | meaning | labels | servers |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** 104857600 bytes → `100 MB (104857600)`. */
function amount(value: number, unit: 'bytes' | 'ms' | 'count'): string {
  if (unit === 'count') return value.toLocaleString('en-US');
  const scale = unit === 'bytes' ? ([1024, 'KB', 'MB'] as const) : ([1000, 's', ''] as const);
  const [step, first, second] = scale;
  if (unit === 'bytes') {
    if (value % (step * step) === 0) return `${value / (step * step)} ${second} (${value})`;
    return value % step === 0 ? `${value / step} ${first} (${value})` : `${value} bytes`;
  }
  return value % step === 0 ? `${(value / step).toLocaleString('en-US')} s (${value})` : `${value} ms`;
}

/** The help of every command, as it prints it 100 columns wide. */
function commandHelp(): string {
  const root = PROGRAM;
  return [root, ...root.commands]
    .map((command) => {
      command.configureHelp({ helpWidth: 100 });
      let text = '';
      command.configureOutput({
        writeOut: (part) => (text += part),
        getOutHelpWidth: () => 100,
        getOutHasColors: () => false,
      });
      command.outputHelp();
      const name = command === root ? 'octavo' : `octavo ${command.name()}`;
      return `## ${name}\n\n\`\`\`\n${text.trim()}\n\`\`\``;
    })
    .join('\n\n');
}

/** One row an endpoint, by path. */
function endpoints(): string {
  const rows = [...ROUTES]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(
      ({ methods, path, params }) =>
        `| \`${path}\` | ${methods.join(', ')} | ${[...params].sort().join(', ')} |`,
    );
  return ['| path | methods | parameters |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Files that describe a format in their head. */
const FORMATS: readonly [title: string, path: string][] = [
  ['Segments', 'packages/engine/src/segment/format.ts'],
  ['Packed segments', 'packages/engine/src/segment/packed/packed-format.ts'],
  ['Deaths', 'packages/engine/src/write/segment-files/deaths-file.ts'],
  ['Document log', 'packages/engine/src/log/format/format.ts'],
  ['Catalog', 'packages/engine/src/catalog/manifest-format.ts'],
];

function formats(project: Project): string {
  return FORMATS.map(([title, path]) => {
    const lines = (project.get(path) ?? '').split('\n');
    const end = lines.findIndex((line) => !line.startsWith('//'));
    const head = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
    return `## ${title}\n\nFrom \`${path}\`:\n\n\`\`\`text\n${head.join('\n').trim()}\n\`\`\``;
  }).join('\n\n');
}
