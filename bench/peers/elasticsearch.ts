// Starts Elasticsearch 7.17, the last version whose HTTP transport is on Maven Central (since 8 only its core
// is published there). One node on loopback, without x-pack, scripts and analysis modules. It supports points
// in time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cacheFolder,
  compilingJava,
  freePort,
  JAVA_FLAGS,
  newHome,
  type Peer,
  resolveJars,
  startJava,
  waitUntilHealthy,
} from './java-nodes.ts';

const VERSION = '7.17.28';
const MAIN = new URL('./Elasticsearch.java', import.meta.url).pathname;

const dependency = (group: string, name: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${VERSION}</version></dependency>`;

const POM = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>octavo</groupId><artifactId>elasticsearch-peer</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency('org.elasticsearch', 'elasticsearch')}
    ${dependency('org.elasticsearch.plugin', 'transport-netty4-client')}
    ${dependency('org.elasticsearch.plugin', 'reindex-client')}
  </dependencies>
</project>
`;

/** Starts a node with an empty data directory. Undefined if Java, its compiler or Maven is missing; `say` gets the reason. */
export async function startElasticsearch(
  heap = '512m',
  say: (line: string) => void = () => {},
): Promise<Peer | undefined> {
  const cache = cacheFolder();
  const java = compilingJava(17);
  if (java === undefined) {
    say('no Java 17 or newer with a compiler here');
    return undefined;
  }
  const classPath = resolveJars({ name: `elasticsearch-${VERSION}`, pom: POM }, cache, say);
  if (classPath === undefined) return undefined;
  const port = await freePort(cache);
  const home = newHome(cache, port);
  const { peer, child, log } = startJava(java, commandLine(home, heap, classPath, port), {
    cache,
    home,
    port,
  });
  if (await waitUntilHealthy(peer.url, child, 1)) return peer;
  say(`Elasticsearch did not get healthy; the end of its log:\n${readFileSync(log, 'utf8').slice(-1500)}`);
  await peer.stop();
  return undefined;
}

function commandLine(home: string, heap: string, classPath: string, port: number): string[] {
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    `-Djava.io.tmpdir=${join(home, 'tmp')}`,
    ...JAVA_FLAGS,
    '-cp',
    classPath,
    MAIN,
    home,
    'cluster.name=octavo-elastic',
    'discovery.type=single-node',
    'network.host=127.0.0.1',
    `http.port=${port}`,
    `transport.port=${port + 100}`,
    // Otherwise a nearly full disk makes indices read-only on a test machine.
    'cluster.routing.allocation.disk.threshold_enabled=false',
  ];
}
