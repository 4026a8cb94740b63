// `GET /api/events`: an endless stream of Server-Sent Events, or a page of events for callers that poll.

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
import { Event } from './schema.ts';

const SSE = 'text/event-stream';
const DEFAULT_LIMIT = 100;

const EventPage = Type.Object(
  {
    items: Type.Array(Event),
    more: Type.Boolean({ description: 'Whether there are more events now.' }),
    next: Type.String({ description: 'Send it as `after` to continue. Always present.' }),
  },
  { title: 'EventList', description: 'A page of events.' },
);

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
      config: { scope: ['events', 'read'], produces: [SSE, 'application/json'], etag: true },
      schema: {
        operationId: 'followEvents',
        tags: ['events'],
        summary: 'Follow events',
        description:
          'Server-Sent Events with CloudEvents 1.0 as data; with `format=json`, or for callers that accept ' +
          '`application/json`, a page of events. Each type needs the scope to read its subject. Events are delivered at least once, ' +
          'in order within a source. Without `after` only new events are delivered. Keys with a document filter do not receive ' +
          'deletions of documents.',
        querystring: Type.Object({
          after: Type.Optional(
            Type.String({
              maxLength: 320,
              description:
                'The position to resume after: an id of the stream, or `0` to start at the oldest retained event. The `id` of an event works as well; the other source (outbox or document log) then starts at its oldest retained event. `Last-Event-ID` takes precedence.',
            }),
          ),
          types: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
              maxItems: 50,
              description: `Event types, such as \`item.*\`. All types: ${EVENT_TYPES.join(', ')}.`,
            }),
          ),
          subject: Type.Optional(Type.String({ maxLength: 512, description: 'A prefix of the subject.' })),
          index: Type.Optional(
            Type.String({ maxLength: 255, description: 'An index name, with `*` as wildcard.' }),
          ),
          format: Type.Optional(Type.String({ enum: ['sse', 'json'] })),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000,
              default: DEFAULT_LIMIT,
              description: 'Events per page.',
            }),
          ),
        }),
        response: {
          200: {
            description: 'The stream, or a page of events.',
            content: {
              [SSE]: { schema: Type.String() },
              'application/json': {
                schema: EventPage,
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
      // Read before the stream begins, so that an impossible one is refused with a status.
      const limit = query.limit ?? DEFAULT_LIMIT;
      const page = await readEvents(sources, after, filter, request.principal, limit);
      if (request.method === 'HEAD' || !wantsStream(query.format, request.headers.accept)) {
        const next = printPosition(page.next);
        if (page.more) setLinks(request, reply, { next: { after: next } });
        return { items: page.events.map(({ event }) => event), more: page.more, next };
      }
      const { principal } = request;
      const release = slots.take(principal.id);
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': `${SSE}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Closes the connection with the stream: a closing server must not wait for one that has just become
        // idle.
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
        request.log.error({ err: error, reqId: request.id }, 'an event stream has failed');
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
    `${text} is not a position of the stream. Send an id of the stream, such as r120.d4711.3, or 0.`,
    { field: header === undefined ? 'after' : 'last-event-id' },
  );
}

/**
 * Closes connections that read nothing of what is buffered for them. Returns a function that stops watching.
 */
function closeIfStalled(response: ServerResponse, milliseconds: number): () => void {
  response.setTimeout(milliseconds, () => {
    if (response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0) response.destroy();
  });
  return () => response.setTimeout(0);
}
