// `/api/backup`: everything the server stores as a tar, to be restored by `octavo restore`.

import { Readable } from 'node:stream';
import type { ArchiveSource } from '../../backup/write-archive.ts';
import { Problem } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import type { ServerResource, ServerServices } from '../resource.ts';

const TAR = 'application/x-tar';
const ELSEWHERE =
  'The documents are in a cluster: back them up by its snapshots, and the records by copying the files of the data directory or with pg_dump.';

export function backup(given: ArchiveSource & Pick<ServerServices, 'cluster'>): ServerResource {
  return async (app) => {
    app.get(
      '/backup',
      {
        config: { scope: ['admin', 'admin'], produces: [TAR], cost: 100 },
        // A HEAD would cost as much as a GET.
        exposeHeadRoute: false,
        schema: {
          operationId: 'getBackup',
          tags: ['server'],
          summary: 'Back up everything in one archive',
          description:
            'A tar of documents, mappings, settings, records and keys. Its last entry, manifest.json, names every file with its SHA-256; an archive without it is truncated. Writes continue during the backup. Records on PostgreSQL are not included. The archive contains secrets.',
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
