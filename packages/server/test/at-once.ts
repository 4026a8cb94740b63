// Which server do tests ask that look at what is answered at once? One over one connection, which counts those answers.

import { Agent, request } from 'node:http';
import type { Engine } from '@octavo/engine';
import { Lane } from '../src/lane/lane.ts';
import { createServer, listen } from '../src/serve.ts';
import { ownEngine } from './own-engine.ts';

/** Has an answer the long way: what it is for is no plain request. */
export const LONG_WAY: Readonly<Record<string, string>> = { 'x-opaque-id': 'x' };

export interface CountingServer {
  readonly engine: Engine;
  /** Answers that were given at once. */
  readonly atOnce: number;
  /** POSTs JSON; the status and the body of what comes. */
  ask(
    target: string,
    body: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
  end(): Promise<void>;
}

/** A server over an engine of its own. There may be one at a time in a process. */
export async function countingServer(): Promise<CountingServer> {
  const { engine, end } = await ownEngine();
  const app = await createServer(engine);
  const port = Number(new URL(await listen(app, { port: 0 })).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let atOnce = 0;
  const { answerFrom } = Lane.prototype;
  Lane.prototype.answerFrom = function (this: Lane, ...args) {
    atOnce++;
    return answerFrom.apply(this, args);
  };
  return {
    engine,
    get atOnce() {
      return atOnce;
    },
    ask: (target, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const length = Buffer.byteLength(body);
        const sent = request(
          {
            ...{ port, agent, method: 'POST', path: target },
            headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
          },
          async (reply) => {
            const pieces: Buffer[] = [];
            for await (const piece of reply) pieces.push(piece as Buffer);
            resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
          },
        );
        sent.on('error', reject);
        sent.end(body);
      }),
    async end() {
      Lane.prototype.answerFrom = answerFrom;
      agent.destroy();
      await app.close();
      await end();
    },
  };
}
