// What happens? `GET /api/events`: an endless stream of Server-Sent Events, or a page of them for callers that poll.

import type { ServerResponse } from 'node:http';
import type { Principal } from '../../access/callers/principal.ts';
import { Problem } from '../../errors/problem.ts';
import { startEventExpiry } from '../../events/event-expiry.ts';
import { EVENT_TYPES, type EventFilter, findUnknownType } from '../../events/event-filter.ts';
import { newestPosition, readEvents } from '../../events/read-events.ts';
import { streamEvents } from '../../events/stream-events.ts';
import { parsePosition, printPosition, type StreamPosition } from '../../events/stream-position.ts';
import { StreamSlots } from '../../events/stream-slots.ts';
import { Wakeup } from '../../events/wakeup.ts';
import { Type } from '../http/json-schema.ts';
import { setLinks } from '../http/links.ts';
import type { Resource } from '../resource.ts';

const SSE = 'text/event-stream';
const DEFAULT_LIMIT = 100;

const CloudEventSchema = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({ description: 'Of the event, the same each time it is told.' }),
    source: Type.String(),
    type: Type.String({ description: '`octavo.item.created`.' }),
    subject: Type.String(),
    time: Type.Optional(Type.String({ format: 'date-time' })),
    datacontenttype: Type.Literal('application/json'),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { description: 'A CloudEvent 1.0.' },
);

/** `/api/events`. */
export const events: Resource = async (
  app,
  { engine, records, clusterDocuments, limits, access, streamsEnd },
) => {
  const sources = { engine, records, clusterDocuments };
  const wakeup = new Wakeup(sources);
  const ending = new AbortController();
  const stopKeeping = startEventExpiry(records, {
    maxAgeMs: limits.eventsAgeMs,
    maxEvents: limits.eventsKept,
  });
  const slots = new StreamSlots(limits);
  const endStreams = (): void => {
    ending.abort();
    wakeup.close();
  };
  streamsEnd?.addEventListener('abort', endStreams, { once: true });
  app.addHook('preClose', async () => {
    endStreams();
    stopKeeping();
  });

  app.get(
    '/events',
    {
      config: { scope: ['events', 'read'], produces: [SSE, 'application/json'] },
      schema: {
        operationId: 'followEvents',
        tags: ['events'],
        summary: 'Follow what happens',
        description:
          'Server-Sent Events with CloudEvents 1.0 as data; with `format=json`, or for callers that ask for ' +
          '`application/json`, a page of them. Each type needs the scope to read what it is about. At least once, in order ' +
          'within a source. Without `after` it begins now. Deletes of documents are not told to keys with a document filter.',
        querystring: Type.Object({
          after: Type.Optional(
            Type.String({
              maxLength: 320,
              description:
                'An id of the stream; `0` is the beginning of what is kept. The `id` of an event works as well: the other source then begins with what is kept. `Last-Event-ID` goes before it.',
            }),
          ),
          types: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
              maxItems: 50,
              description: `Such as \`item.*\`: ${EVENT_TYPES.join(', ')}.`,
            }),
          ),
          subject: Type.Optional(Type.String({ maxLength: 512, description: 'The beginning of subjects.' })),
          index: Type.Optional(Type.String({ maxLength: 255, description: 'An index, with `*`.' })),
          format: Type.Optional(Type.String({ enum: ['sse', 'json'] })),
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000, default: DEFAULT_LIMIT, description: 'Of a page.' }),
          ),
        }),
        response: {
          200: {
            description: 'The stream, or a page.',
            content: {
              [SSE]: { schema: Type.String() },
              'application/json': {
                schema: Type.Object({
                  events: Type.Array(CloudEventSchema),
                  next: Type.String({ description: 'The `after` to go on with.' }),
                  more: Type.Boolean({ description: 'Whether there is more already.' }),
                }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const query = request.query as EventQuery;
      const filter: EventFilter = { types: query.types, subject: query.subject, index: query.index };
      const unknown = findUnknownType(query.types ?? []);
      if (unknown !== undefined) {
        const detail = `No event has the type [${unknown}]; /api/docs lists them.`;
        throw new Problem('invalid-parameter', detail, { field: 'types' });
      }
      const after = startPosition(request.headers['last-event-id'], query.after) ?? newestPosition(sources);
      // A stream that cannot begin is refused before it does.
      const limit = query.limit ?? DEFAULT_LIMIT;
      const page = await readEvents(sources, after, filter, request.principal, limit);
      if (request.method === 'HEAD' || !wantsStream(query.format, request.headers.accept)) {
        const next = printPosition(page.next);
        if (page.more) setLinks(request, reply, { next: { after: next } });
        return { events: page.events.map(({ event }) => event), next, more: page.more };
      }
      const { principal } = request;
      const release = slots.take(principal.id);
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': `${SSE}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Its connection ends with it: a server that is closing must not wait for one that was just left idle.
        connection: 'close',
      });
      const disconnected = new AbortController();
      const close = (): void => disconnected.abort();
      reply.raw.once('close', close);
      const cut = closeIfStalled(reply.raw, limits.writeIdleTimeoutMs);
      try {
        await streamEvents(reply.raw, {
          sources,
          wakeup,
          after,
          filter,
          caller: (): Principal | undefined => access.currentPrincipal(principal),
          heartbeatMs: limits.eventHeartbeatMs,
          signal: AbortSignal.any([disconnected.signal, ending.signal]),
          mount: request.mount,
        });
      } catch (error) {
        request.log.error({ err: error, reqId: request.id }, 'a stream of events has failed');
        reply.raw.destroy();
      } finally {
        cut();
        release();
        reply.raw.off('close', close);
      }
      return reply;
    },
  );
};

interface EventQuery {
  readonly after?: string;
  readonly types?: readonly string[];
  readonly subject?: string;
  readonly index?: string;
  readonly format?: 'sse' | 'json';
  readonly limit?: number;
}

function wantsStream(format: string | undefined, accept: string | undefined): boolean {
  if (format !== undefined) return format === 'sse';
  return accept === undefined || accept.includes(SSE) || !accept.includes('application/json');
}

function startPosition(
  header: string | string[] | undefined,
  after: string | undefined,
): StreamPosition | undefined {
  const text = (typeof header === 'string' && header !== '' ? header : undefined) ?? after;
  if (text === undefined) return undefined;
  const position = parsePosition(text);
  if (position !== undefined) return position;
  throw new Problem(
    'invalid-parameter',
    `${text} is no position of the stream. Send an id as it gave it, such as r120.d4711.3, or 0.`,
    { field: header === undefined ? 'after' : 'last-event-id' },
  );
}

/** Ends connections that read nothing of what waits for them. Returns how to stop watching. */
function closeIfStalled(response: ServerResponse, milliseconds: number): () => void {
  response.setTimeout(milliseconds, () => {
    if (response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0) response.destroy();
  });
  return () => response.setTimeout(0);
}
