// `/api/metrics`: the metrics in the text format of Prometheus.

import type { Metrics } from '../../observe/metrics.ts';
import { Type } from '../http/json-schema.ts';
import type { ServerResource } from '../resource.ts';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export function metrics(given: Metrics): ServerResource {
  return async (app) => {
    app.get(
      '/metrics',
      {
        config: { scope: ['admin', 'read'], produces: ['text/plain', 'application/openmetrics-text'] },
        schema: {
          operationId: 'getMetrics',
          tags: ['server'],
          summary: 'Read metrics for Prometheus',
          response: {
            200: {
              description: 'The Prometheus text format.',
              content: { 'text/plain': { schema: Type.String() } },
            },
          },
        },
      },
      async (_request, reply) => reply.type(TEXT).send(await given.text()),
    );
  };
}
