// The endpoints about indices over the fake engine, served on a port of their own: for tests, and for the conformance
// suite (`node packages/server/test/catalog-wire.ts 9301`).

import Fastify, { type FastifyInstance } from 'fastify';
import { ANONYMOUS } from '../src/access/principal.ts';
import { NodeSealer } from '../src/access/sealer.ts';
import { limitsWith } from '../src/limits.ts';
import { aliasRoutes } from '../src/wire/aliases.ts';
import { analyzeRoutes } from '../src/wire/analyze.ts';
import { catRoutes } from '../src/wire/cat.ts';
import { clusterRoutes } from '../src/wire/cluster.ts';
import { Connections } from '../src/wire/connections.ts';
import { Wire } from '../src/wire/dispatch.ts';
import { FrameworkExchange } from '../src/wire/exchange.ts';
import { indicesRoutes } from '../src/wire/indices.ts';
import { mappingRoutes } from '../src/wire/mappings.ts';
import type { ServerOptions } from '../src/wire/route.ts';
import { WalkSnapshots } from '../src/wire/search/snapshots.ts';
import { settingsRoutes } from '../src/wire/settings.ts';
import { templateRoutes } from '../src/wire/templates.ts';
import { catalogEngine } from './catalog-engine.ts';

/** A server without documents. */
export function catalogWire(compat: ServerOptions['compat'] = 'opensearch'): FastifyInstance {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const routes = [
    ...indicesRoutes,
    ...aliasRoutes,
    ...templateRoutes,
    ...mappingRoutes,
    ...settingsRoutes,
    ...analyzeRoutes,
    ...catRoutes,
    ...clusterRoutes,
  ];
  const engine = catalogEngine();
  const wire = new Wire(routes, {
    engine,
    principal: ANONYMOUS,
    keys: undefined,
    sealer: new NodeSealer('test', new Uint8Array(32)),
    walks: new WalkSnapshots(engine),
    connections: new Connections(limitsWith()),
    options: { compat, clusterName: 'octavo', nodeName: 'node-1' },
    limits: limitsWith(),
    nodeId: 'AAAAAAAAAAAAAAAAAAAAAA',
  });
  app.addHook('onRequest', async (request) => {
    request.principal = ANONYMOUS;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    url: '/*',
    handler: (request, reply) => wire.answer(new FrameworkExchange(request, reply)),
  });
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const address = await catalogWire().listen({ port: Number(process.argv[2] ?? 9301), host: '127.0.0.1' });
  console.log(address);
}
