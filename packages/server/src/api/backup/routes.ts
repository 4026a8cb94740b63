// How does everything leave, for the day on which it must come back? `/api/backup`: a tar that `octavo restore` takes.

import { Readable } from 'node:stream';
import type { ArchiveSource } from '../../backup/write-archive.ts';
import { Problem } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import type { ServerResource, ServerServices } from '../resource.ts';

const TAR = 'application/x-tar';
const ELSEWHERE =
  'The documents are in a cluster: save them by its snapshots, and the records as the files of the data directory or by pg_dump.';

/** `/api/backup`. */
export function backup(given: ArchiveSource & Pick<ServerServices, 'cluster'>): ServerResource {
  return async (app) => {
    app.get(
      '/backup',
      {
        config: { scope: ['admin', 'admin'], produces: [TAR], cost: 100 },
        // Making it for nobody would cost as much as for somebody.
        exposeHeadRoute: false,
        schema: {
          operationId: 'getBackup',
          tags: ['server'],
          summary: 'Everything in one archive, as it is now',
          description:
            'Documents, mappings, settings, records and keys as a tar whose last entry, manifest.json, names every file with its SHA-256: an archive without it is cut short. Writes go on meanwhile. Records on PostgreSQL are not in it. It holds secrets.',
          response: {
            200: {
              description: 'A tar.',
              content: { [TAR]: { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } },
            },
          },
        },
      },
      async (_request, reply) => {
        if (given.cluster !== undefined) throw new Problem('not-found', ELSEWHERE);
        const { createArchive } = await import('../../backup/write-archive.ts');
        const name = `octavo-${new Date().toISOString().replace(/[:.]/g, '-')}.tar`;
        reply.header('content-disposition', `attachment; filename="${name}"`).type(TAR);
        return reply.send(Readable.fromWeb(createArchive(given) as import('node:stream/web').ReadableStream));
      },
    );
  };
}
