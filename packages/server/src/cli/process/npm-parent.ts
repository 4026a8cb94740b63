// Notices when the npm that runs this process has died. npm runs `npx octavo serve` as a child of `sh -c`. A
// shell such as dash dies of SIGTERM and leaves its child running; npm itself forwards neither SIGHUP nor
// SIGKILL. A server left running would keep its port and data directory, out of reach of whoever started it.
//
// - It watches the links from this process to its parents, up to the outermost npm: (server, shell), (shell,
//   npm), …
// - It watches only a process that npm waits for: the parent is npm or npm's shell, the session is the same,
//   and the script has no `&`. A background server keeps running. With `nohup npx octavo serve &` and in a
//   unit, npm keeps running as well; `setsid` makes another session; PID 1 of a container has no npm, or is
//   npm.
// - Process ids may be reused: a process whose parent dies gets another parent immediately, so a broken link
//   stays broken.
// - It reads /proc, so it works on Linux only. Elsewhere a server still gets the signals npm forwards:
//   SIGTERM and SIGINT, where the shell becomes the command (bash, zsh).

import { readFileSync, readlinkSync } from 'node:fs';

/** The parts of a process that matter here. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The executable file. */
  readonly program: string;
}

/** A process and its parent as long as npm lives. */
interface ParentLink {
  readonly pid: number;
  readonly parent: number;
}

/** Milliseconds between checks. A check reads a small file per link, 10 µs. */
const LOOK_MS = 200;
const INIT = 1;
const NOBODY = 0;
const NPM = /(^|\/)np[mx]-cli\.js$/;
/** A script that is a single octavo command, so npm or its shell is the parent. */
const OCTAVO_ALONE = /^(exec )?((\S*\/)?(node|npx) )?(\S*\/)?octavo(\.js)?( [^&;|()]*)?$/;

/**
 * Calls `then` once when npm has died; never if npm does not run this process. Returns a function that stops
 * watching.
 */
export function watchNpmParent(then: () => void): () => void {
  const links = findNpmLinks(process.pid, readProcess);
  if (links.length === 0) return () => {};
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    then();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/**
 * The links from a process up to npm; none if npm does not wait for it, and a broken one if npm has already
 * died.
 */
export function findNpmLinks(pid: number, read: (pid: number) => ProcessInfo | undefined): ParentLink[] {
  const links: ParentLink[] = [];
  let child = read(pid);
  while (child !== undefined && scriptOf(child) !== '') {
    const parent = read(child.parent);
    if (wasOrphaned(child, parent)) return [{ pid: child.pid, parent: NOBODY }];
    if (parent === undefined || parent.session !== child.session) break;
    if (!isNpmOf(parent, child) && !waitsFor(parent, child)) break;
    links.push({ pid: child.pid, parent: parent.pid });
    child = parent;
  }
  return links;
}

/** The npm script a process belongs to; empty if none. */
function scriptOf({ env }: ProcessInfo): string {
  const { npm_package_json: home, npm_lifecycle_event: event, npm_lifecycle_script: script } = env;
  return event === undefined ? '' : [home, event, script].join('\0');
}

/** True if the parent is the npm that started the script of its child. */
function isNpmOf(parent: ProcessInfo, child: ProcessInfo): boolean {
  return scriptOf(parent) !== scriptOf(child) && parent.program === child.env['npm_node_execpath'];
}

/**
 * True if the parent is npm's shell, or the older Node that runs this one (bin/octavo.js), and ends with its
 * child.
 */
function waitsFor(parent: ProcessInfo, child: ProcessInfo): boolean {
  if (scriptOf(parent) !== scriptOf(child)) return false;
  if (child.env['OCTAVO_REEXEC'] !== undefined && parent.env['OCTAVO_REEXEC'] === undefined) return true;
  const command = parent.args[parent.args.indexOf('-c') + 1] ?? '';
  const script = child.env['npm_lifecycle_script'] ?? '';
  return (
    parent.args.includes('-c') && command.startsWith(script) && !/(?<![&<>|])&(?![&>])/.test(bare(command))
  );
}

/** True if npm or its shell died before the first check, and another process adopted the child. */
function wasOrphaned(child: ProcessInfo, parent: ProcessInfo | undefined): boolean {
  const { npm_execpath: npm = '', npm_lifecycle_script: script = '' } = child.env;
  if (!NPM.test(npm) || !OCTAVO_ALONE.test(bare(script))) return false;
  if (parent !== undefined) return scriptOf(parent) !== scriptOf(child) && !isNpmOf(parent, child);
  // Processes of group 1 were started by PID 1 of a container, which waits for them.
  return child.parent === INIT && child.group !== INIT;
}

/** The words of a command without quoted text; quotes around a single word are removed. */
function bare(command: string): string {
  return command.replace(/'([\w./-]*)'|"([\w./-]*)"/g, '$1$2').replace(/'[^']*'|"[^"]*"/g, '');
}

function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    return statOf(pid)[1];
  } catch {
    return undefined;
  }
}

/**
 * State (not a number), parent, group, session, …: the fields after the name in parentheses, which may
 * contain anything.
 */
function statOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/** Undefined without such a process, /proc, or permission. */
function readProcess(pid: number): ProcessInfo | undefined {
  try {
    const [, parent = NOBODY, group = NOBODY, session = NOBODY] = statOf(pid);
    const words = (file: string): string[] => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    const env = Object.fromEntries(words('environ').map((entry) => entry.split(/=(.*)/s, 2))) as Record<
      string,
      string
    >;
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return { pid, parent, group, session, args: words('cmdline'), env, program };
  } catch {
    return undefined;
  }
}
