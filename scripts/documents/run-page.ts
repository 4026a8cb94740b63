// Runs the code blocks of a page in order, in one shell and one empty folder. `octavo`, `npx octavo` and the packages are those
// of this checkout. A page that asks http://127.0.0.1:9200 gets a server of its own, on a free port.

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createSocket } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadRecords, loadSynsets, type Synset, synsets } from '@octavo/demo';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, listen } from '@octavo/server';
import { ROOT } from '../tidy.ts';
import type { CodeBlock } from './code-blocks.ts';

const ADDRESS = /\b(?:127\.0\.0\.1|localhost):9200\b/g;
/** The address of a web server that a page starts: its port is in PORT. */
const WEB_ADDRESS = '127.0.0.1:8080';
const STARTS_SERVER = /^\s*(npx )?octavo serve\b/m;
/** Folders of the checkout that commands name. */
const CHECKOUT = ['conformance', 'deploy'];
const SYNSETS = 3_000;
const MOST_MS = 60_000;

/** How a block of a language is run. `sh` is run as it is. */
const RUNTIMES: Readonly<Record<string, { readonly ending: string; readonly command: string }>> = {
  ts: { ending: 'ts', command: 'node' },
  js: { ending: 'js', command: 'node' },
  python: { ending: 'py', command: 'python3' },
  go: { ending: 'go', command: 'go run' },
};

interface PageRun {
  /** Empty if every block ended with success and printed what the page says. */
  readonly failure: string;
  /** Blocks that need a program that this machine lacks, and its name. */
  readonly lacking: readonly string[];
}

/** `modules`: the installed packages; by default those of this checkout. */
export async function runPage(
  blocks: readonly CodeBlock[],
  modules: string = join(ROOT, 'node_modules'),
): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-page-'));
  const text = blocks.map(({ code }) => code).join('');
  const stops: (() => Promise<void>)[] = [];
  try {
    const startsItself = blocks.some(
      ({ language, code, mark }) => language === 'sh' && mark?.kind !== 'not run' && STARTS_SERVER.test(code),
    );
    const asks = text.search(ADDRESS) !== -1;
    const port = startsItself || !asks ? await freePort() : await serve(text.includes('wordnet'), stops);
    const webPort = await freePort();
    const { script, lacking, printed } = scriptOf(blocks, port, webPort);
    const work = join(folder, 'page');
    prepare(folder, work, modules);
    const ended = await runScript(script, { folder, work, port, webPort });
    return { failure: ended === '' ? differences(printed, folder) : ended, lacking };
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Printed {
  /** The number of the block that prints. */
  readonly block: number;
  readonly expected: string;
  readonly line: number;
}

function scriptOf(
  blocks: readonly CodeBlock[],
  port: number,
  webPort: number,
): { script: string; lacking: string[]; printed: Printed[] } {
  const parts: string[] = [];
  const lacking: string[] = [];
  const printed: Printed[] = [];
  // Undefined behind a block that cannot run here.
  let last: number | undefined;
  for (const [number, block] of blocks.entries()) {
    const { language, file, mark, line } = block;
    const code = block.code
      .replaceAll(ADDRESS, `127.0.0.1:${port}`)
      .replaceAll(WEB_ADDRESS, `127.0.0.1:${webPort}`);
    if (mark?.kind === 'not run') continue;
    if (mark?.kind === 'printed') {
      if (last !== undefined) printed.push({ block: last, expected: code, line });
      continue;
    }
    const runtime = RUNTIMES[language];
    const name = file ?? (runtime === undefined ? undefined : `block-${line}.${runtime.ending}`);
    if (name !== undefined)
      parts.push(`mkdir -p ${dirname(name)}`, `cat > ${name} <<'END OF FILE'\n${code}END OF FILE`);
    if (file !== undefined || (language !== 'sh' && runtime === undefined)) continue;
    const program = mark?.kind === 'needs' ? mark.program : runtime?.command.split(' ')[0];
    if (program !== undefined && !isInstalled(program)) {
      lacking.push(program);
      last = undefined;
      continue;
    }
    last = number;
    const commands = runtime === undefined ? code : `${runtime.command} ${name}\n`;
    parts.push(
      `echo ${line} > "$STATE/line"`,
      mark?.kind === 'in the background'
        ? `{ ${commands}} > "$STATE/out-${number}" 2>&1 &\nwait_for_server`
        : `{ ${commands}} > "$STATE/out-${number}"`,
    );
  }
  return { script: parts.join('\n'), lacking, printed };
}

const PRELUDE = `
curl() { command curl -sS --fail-with-body "$@"; }
wait_for_server() {
  for _ in $(seq 200); do
    command curl -s -o "$STATE/health" "http://127.0.0.1:$OCTAVO_PORT/api/health" && return
    sleep 0.1
  done
  echo "no server listens" >&2; cat "$STATE"/out-* >&2; return 1
}`;

/** Runs the script. Returns what went wrong. */
async function runScript(
  script: string,
  { folder, work, port, webPort }: { folder: string; work: string; port: number; webPort: number },
): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${PRELUDE}\n${script}`], {
    cwd: work,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      // The folders of the checkout stay as they are.
      PYTHONDONTWRITEBYTECODE: '1',
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: folder,
      STATE: folder,
      OCTAVO_PORT: String(port),
      PORT: String(webPort),
      OCTAVO_URL: `http://127.0.0.1:${port}`,
      // Compiled packages of Go, which HOME would hide.
      GOCACHE: process.env['GOCACHE'] ?? join(homedir(), '.cache/go-build'),
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timer = setTimeout(() => endGroup(child.pid), MOST_MS);
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  endGroup(child.pid);
  if (status === 0) return '';
  const line = existsSync(join(folder, 'line')) ? readFileSync(join(folder, 'line'), 'utf8').trim() : '?';
  return `the block at line ${line} ended with ${status}\n${stderr}`;
}

/** Ends the shell and the servers that it left running. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

function differences(printed: readonly Printed[], folder: string): string {
  const found: string[] = [];
  for (const { block, expected, line } of printed) {
    const actual = readFileSync(join(folder, `out-${block}`), 'utf8');
    if (!fits(actual.trim(), expected.trim()))
      found.push(`line ${line}: the page says\n${expected}\nbut the command prints\n${actual}`);
  }
  return found.join('\n');
}

/** True if the text equals the pattern, in which … stands for anything. */
export function fits(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('…');
  if (!text.startsWith(first)) return false;
  if (rest.length === 0) return text === first;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function prepare(folder: string, work: string, modules: string): void {
  mkdirSync(work);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const name of CHECKOUT) symlinkSync(join(ROOT, name), join(work, name));
  const octavo = `exec ${process.execPath} ${join(modules, '@octavo/server/bin/octavo.js')}`;
  writeFileSync(join(folder, 'bin/octavo'), `#!/bin/sh\n${octavo} "$@"\n`);
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\n[ "$1" = octavo ] && shift && ${octavo} "$@"\nexit 1\n`);
  for (const name of ['octavo', 'npx']) chmodSync(join(folder, 'bin', name), 0o755);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;
}

/** Serves a new data directory, with a part of the demo if it is wanted. Returns the port. */
async function serve(wantsDemo: boolean, stops: (() => Promise<void>)[]): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'octavo-page-data-'));
  stops.push(async () => rmSync(data, { recursive: true, force: true }));
  const engine = await open(data);
  stops.push(() => engine.close());
  const records = await openRecords(data);
  stops.push(() => records.close());
  if (wantsDemo) {
    await loadSynsets(engine, { documents: firstSynsets() });
    await loadRecords(records, firstSynsets());
  }
  const app = await createServer(engine, { records });
  stops.push(() => app.close());
  return Number(new URL(await listen(app, { port: 0 })).port);
}

function* firstSynsets(): Generator<Synset> {
  let count = 0;
  for (const synset of synsets()) {
    if (count++ === SYNSETS) return;
    yield synset;
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
