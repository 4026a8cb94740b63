// Liveness and readiness for load balancers and orchestrators. Open to everybody; reveals no numbers.

import type { RecordsFence } from '@octavo/records';
import { MOVED_RETRY_SECONDS, Problem, serverStarting } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import type { ClusterProbe, ServerResource, ServerServices } from '../resource.ts';

const Part = Type.Enum(['ready', 'absent'], { description: '`absent`: this server was started without it.' });

export function health(
  given: Pick<ServerServices, 'engine' | 'cluster' | 'records' | 'fence' | 'starting'>,
): ServerResource {
  return async (app) => {
    let closing = false;
    app.addHook('preClose', async () => {
      closing = true;
    });
    app.get(
      '/health',
      {
        schema: {
          operationId: 'getHealth',
          tags: ['server'],
          summary: 'Check that the process is alive',
          response: {
            200: Type.Object(
              { status: Type.Literal('live') },
              { title: 'Liveness', description: 'The process is alive.' },
            ),
          },
        },
      },
      async () => ({ status: 'live' as const }),
    );
    app.get(
      '/health/ready',
      {
        schema: {
          operationId: 'getReadiness',
          tags: ['server'],
          summary: 'Check that the server is ready for requests',
          description:
            '503 while the server starts (`detail` has the progress) or stops, and if a store has failed. Also 503 if the records are damaged or refuse writes: `records` is then `damaged` (they differ from what was written), `moved` (to another store) or `coming` (they are being moved here).',
          response: {
            200: Type.Object(
              { status: Type.Literal('ready'), engine: Part, cluster: Type.Optional(Part), records: Part },
              { title: 'Readiness', description: 'The server is ready.' },
            ),
          },
        },
      },
      async () => {
        if (closing) throw new Problem('unavailable', 'The server is stopping.', retry);
        const progress = given.starting?.();
        if (progress !== undefined) throw serverStarting(progress);
        check('documents', () => given.engine.snapshot());
        if (given.cluster !== undefined && !(await isAnswering(given.cluster)))
          throw notAnswering('documents');
        check('records', () => given.records?.lastEvent());
        if (given.records?.reachable?.() === false) throw notAnswering('records');
        const damage = given.records?.damage?.();
        if (damage !== undefined) throw recordsDamaged();
        const documents = {
          engine: given.cluster === undefined ? ('ready' as const) : ('absent' as const),
          ...(given.cluster === undefined ? {} : { cluster: 'ready' as const }),
        };
        const fence = await given.fence?.current();
        if (fence !== undefined) throw recordsMoved(fence, documents);
        return {
          status: 'ready' as const,
          ...documents,
          records: given.records === undefined ? ('absent' as const) : ('ready' as const),
        };
      },
    );
  };
}

const retry = { headers: { 'retry-after': '5' } };

function check(store: string, ask: () => unknown): void {
  try {
    ask();
  } catch {
    throw notAnswering(store);
  }
}

/** True if a node answers without a server error. */
async function isAnswering(cluster: ClusterProbe): Promise<boolean> {
  try {
    return (await cluster.request({ method: 'GET', path: '/', repeatable: true })).status < 500;
  } catch {
    return false;
  }
}

/** Reads would still work, but a balancer knows no partial readiness. */
function recordsMoved({ state, since }: RecordsFence, documents: object): Problem {
  const detail =
    state === 'gone'
      ? `The records moved to another store at ${since}: nothing can be written here.`
      : `The records are being moved here since ${since}: nothing can be written until the move is complete.`;
  return new Problem('unavailable', detail, {
    extra: { ...documents, records: state === 'gone' ? 'moved' : 'coming' },
    headers: { 'retry-after': MOVED_RETRY_SECONDS },
  });
}

/** Reads may return wrong data. Only the log says where the damage is. */
function recordsDamaged(): Problem {
  const detail = 'The records are damaged; the log of the server says where. Restore them from a backup.';
  return new Problem('unavailable', detail, {
    extra: { records: 'damaged' },
    headers: { 'retry-after': MOVED_RETRY_SECONDS },
  });
}

function notAnswering(store: string): Problem {
  return new Problem('unavailable', `The store of ${store} does not answer.`, retry);
}
