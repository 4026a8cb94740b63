// A reader of `/api/events` for tests: reads until it has enough, then disconnects.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';

/** One event of the stream. */
export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** What came, and whether the server ended it. */
export interface Followed {
  readonly status: number;
  readonly frames: readonly Frame[];
  /** Heartbeats, with the place that they name. */
  readonly beats: readonly string[];
  readonly ended: boolean;
}

/** Reads until `enough`, or until the server ends it. */
export async function follow(
  port: number,
  query: string,
  enough: (frames: readonly Frame[], beats: readonly string[]) => boolean,
  headers: Record<string, string> = {},
): Promise<Followed> {
  return await new Promise((resolve, reject) => {
    const path = `/api/events${query}`;
    const all = { accept: 'text/event-stream', host: 'localhost', ...headers };
    const request = httpRequest({ port, path, headers: all }, (response) => {
      let text = '';
      const frames: Frame[] = [];
      const beats: string[] = [];
      const done = (ended: boolean): void =>
        resolve({ status: response.statusCode ?? 0, frames, beats, ended });
      response.on('data', (part: Buffer) => {
        text += part.toString('utf8');
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          const field = (name: string): string | undefined =>
            lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
          const data = field('data');
          if (data !== undefined) {
            const [id = '', event = ''] = [field('id'), field('event')];
            frames.push({ id, event, data: JSON.parse(data) });
          } else if (lines[0] === ': still here') beats.push(field('id') ?? assert.fail('no place'));
        }
        if (!enough(frames, beats)) return;
        request.destroy();
        done(false);
      });
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    request.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error));
    request.end();
  });
}
