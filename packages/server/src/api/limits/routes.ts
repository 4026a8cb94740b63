// `/api/limits`: the table of limits with the values of this server.

import { LIMITS, type LimitName, type Limits } from '../../limits.ts';
import { Type } from '../http/json-schema.ts';
import { pageEnvelope, pageSchema } from '../http/page-envelope.ts';
import type { ServerResource } from '../resource.ts';

const LimitRow = Type.Object(
  {
    name: Type.String(),
    value: Type.Integer({ description: 'The value on this server.' }),
    default: Type.Integer(),
    unit: Type.Enum(['bytes', 'ms', 'count']),
    meaning: Type.String({ description: 'What is counted.' }),
    beyond: Type.String({ description: 'What happens beyond the limit.' }),
  },
  { title: 'Limit', description: 'A limit of this server.' },
);

export function limits(given: Limits): ServerResource {
  const table = (Object.keys(LIMITS) as LimitName[]).map((name) => {
    const { value, unit, meaning, beyond } = LIMITS[name];
    return { name, value: given[name], default: value, unit, meaning, beyond };
  });
  return async (app) => {
    app.get(
      '/limits',
      {
        config: { etag: true },
        schema: {
          operationId: 'listLimits',
          tags: ['server'],
          summary: 'List the limits of this server',
          description: 'All on one page.',
          response: { 200: pageSchema(LimitRow) },
        },
      },
      async () => pageEnvelope(table, false, {}),
    );
  };
}
