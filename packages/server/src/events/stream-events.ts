// Writes a stream of Server-Sent Events (HTML standard). The next batch is read when the socket has accepted
// the last one; a comment keeps an idle stream alive; the stream ends with its key.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '../access/callers/principal.ts';
import { Problem, problemBody } from '../errors/problem.ts';
import type { EventFilter } from './event-filter.ts';
import { type EventSources, type PositionedEvent, readEvents } from './read-events.ts';
import { printPosition, type StreamPosition } from './stream-position.ts';
import type { Wakeup } from './wakeup.ts';

interface EventStreamOptions {
  readonly sources: EventSources;
  readonly wakeup: Wakeup;
  readonly after: StreamPosition;
  readonly filter: EventFilter;
  /** The caller with its present rights; undefined ends the stream. */
  readonly caller: () => Principal | undefined;
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
  /** Prefixes all paths, as the reader sees them. */
  readonly mount: string;
}

const BATCH = 200;
const MIN_BATCH = 8;
/** Bytes one stream holds in memory, about. Events beyond are read again later. */
const CHUNK_BYTES = 64 * 1024;
/** Commits come by the thousands a second; reads must not. */
const PAUSE_MS = 20;
/** How long a client should wait before it reconnects. */
const RETRY_MS = 2_000;

/** Writes events until the client leaves, the server closes or the key ends. Writes the head as well. */
export async function streamEvents(response: ServerResponse, options: EventStreamOptions): Promise<void> {
  const { sources, wakeup, filter, caller, heartbeatMs, signal, mount } = options;
  let { after } = options;
  let size = BATCH;
  response.write(`retry: ${RETRY_MS}\nid: ${printPosition(after)}\n\n`);
  let beat = performance.now();
  while (!signal.aborted) {
    const principal = caller();
    if (principal === undefined) break;
    const listener = wakeup.listen(Math.max(0, heartbeatMs - (performance.now() - beat)));
    let more: boolean;
    try {
      const chunk = await readChunk(sources, after, filter, principal, size);
      ({ after, more, size } = chunk);
      if (chunk.text !== '') {
        await send(response, chunk.text, signal);
        beat = performance.now();
      }
    } catch (error) {
      listener.stop();
      if (!(error instanceof Problem)) throw error;
      // The stream has begun, so the refusal is its last event.
      const problem = problemBody(error, undefined, mount);
      await send(response, `event: problem\ndata: ${JSON.stringify(problem)}\n\n`, signal);
      break;
    }
    if (more) {
      listener.stop();
      continue;
    }
    const stop = (): void => listener.stop();
    signal.addEventListener('abort', stop, { once: true });
    const woken = await listener.woken;
    signal.removeEventListener('abort', stop);
    if (woken) await sleep(PAUSE_MS);
    if (performance.now() - beat >= heartbeatMs) {
      // Includes the position after filtered events, so that a reconnecting client does not read them again.
      await send(response, `: still here\nid: ${printPosition(after)}\n\n`, signal);
      beat = performance.now();
    }
  }
  response.end();
}

interface Chunk {
  readonly text: string;
  readonly after: StreamPosition;
  readonly more: boolean;
  /** Events to read next time. */
  readonly size: number;
}

/**
 * The next events as text. Events beyond one chunk are dropped, not kept, since they may be large; they are
 * read again.
 */
async function readChunk(
  sources: EventSources,
  from: StreamPosition,
  filter: EventFilter,
  principal: Principal,
  size: number,
): Promise<Chunk> {
  const { events, next, more } = await readEvents(sources, from, filter, principal, size);
  let text = '';
  let last = printPosition(from);
  for (const [i, placed] of events.entries()) {
    text += frame(placed);
    const here = printPosition(placed.position);
    // If two events share a position, it lies before both: resuming there would repeat the first forever.
    const isBeyond = here !== last;
    last = here;
    if (text.length < CHUNK_BYTES || !isBeyond || i === events.length - 1) continue;
    return { text, after: placed.position, more: true, size: Math.max(MIN_BATCH, 2 * (i + 1)) };
  }
  return { text, after: next, more, size: Math.min(BATCH, 2 * size) };
}

function frame({ event, position }: PositionedEvent): string {
  return `id: ${printPosition(position)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Resolves when the socket has accepted the text; nothing more is read until then. */
async function send(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
