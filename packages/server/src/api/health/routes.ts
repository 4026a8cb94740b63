// Is the server alive, and may it be sent work? For load balancers and orchestrators: open to everybody, no figures.

import type { RecordsFence } from '@octavo/records';
import { MOVED_RETRY_SECONDS, Problem } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import type { ClusterProbe, ServerResource, ServerServices } from '../resource.ts';

const Part = Type.Enum(['ready', 'absent'], { description: '`absent`: this server was started without it.' });

/** `/api/health` and `/api/health/ready`. */
export function health(
  given: Pick<ServerServices, 'engine' | 'cluster' | 'records' | 'fence'>,
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
          summary: 'Is the process alive?',
          response: { 200: Type.Object({ status: Type.Literal('live') }, { description: 'It is.' }) },
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
          summary: 'May it be sent requests?',
          description:
            '503 while it starts or ends, when a store has failed, and where the records are damaged or refuse writes: `records` is `damaged` where they are not as they were written, `moved` where they are written elsewhere now, `coming` while they are on their way here.',
          response: {
            200: Type.Object(
              { status: Type.Literal('ready'), engine: Part, cluster: Type.Optional(Part), records: Part },
              { description: 'It may.' },
            ),
          },
        },
      },
      async () => {
        if (closing) throw new Problem('unavailable', 'The server is ending.', retry);
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

/** Whether one of the nodes says anything but that it cannot. */
async function isAnswering(cluster: ClusterProbe): Promise<boolean> {
  try {
    return (await cluster.request({ method: 'GET', path: '/', repeatable: true })).status < 500;
  } catch {
    return false;
  }
}

/** Searches and reads would go on here; a balancer knows no halves. */
function recordsMoved({ state, since }: RecordsFence, documents: object): Problem {
  const detail =
    state === 'gone'
      ? `The records moved to another store at ${since}: nothing is written here any more.`
      : `The records are on their way here since ${since}: nothing is written before they have arrived.`;
  return new Problem('unavailable', detail, {
    extra: { ...documents, records: state === 'gone' ? 'moved' : 'coming' },
    headers: { 'retry-after': MOVED_RETRY_SECONDS },
  });
}

/** What is read may be wrong, and nobody but the log is told where. */
function recordsDamaged(): Problem {
  const detail = 'The records are damaged; the log of the server says where. Restore them from a copy.';
  return new Problem('unavailable', detail, {
    extra: { records: 'damaged' },
    headers: { 'retry-after': MOVED_RETRY_SECONDS },
  });
}

function notAnswering(store: string): Problem {
  return new Problem('unavailable', `The store of ${store} does not answer.`, retry);
}
