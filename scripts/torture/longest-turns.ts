// Asks a server the heaviest requests, and prints for each the longest turn of the event loop and its CPU time: how long it can delay
// other requests. The turns are measured in CPU time inside the server (turn-clock.ts). Work that other threads do is not in it.
//
//   node scripts/torture/longest-turns.ts                     every request
//   node scripts/torture/longest-turns.ts --only highlight    those whose name has this text
//   node scripts/torture/longest-turns.ts --flags=--cpu-prof

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type HeavyRequest, heavyRequests, preparations } from './heavy-requests.ts';
import { inFolder } from './recorded-server.ts';
import type { TurnFigures } from './turn-clock.ts';

const MAIN = fileURLToPath(new URL('../../packages/server/bin/octavo.js', import.meta.url));
const CLOCK = new URL('./turn-clock.ts', import.meta.url).href;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    flags: { type: 'string', default: '' },
    above: { type: 'string', default: '0' },
    repeat: { type: 'string', default: '2' },
  },
});

await inFolder(async (folder) => {
  const flags = values.flags.split(' ').filter(Boolean);
  const args = [
    ...flags,
    '--import',
    CLOCK,
    MAIN,
    'serve',
    '--data',
    `${folder}/data`,
    '--port',
    '0',
    '--quiet',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (text) => {
      const found = /listens on (\S+) /.exec(String(text));
      if (found !== null) resolve(found[1]!);
    });
    child.once('close', () => reject(new Error('the server does not start')));
  });
  try {
    for (const request of preparations()) {
      const { status, text } = await answer(url, request);
      if (status >= 400) console.error(`${request.line}: ${status} ${text.slice(0, 300)}`);
    }
    const measured: [string, TurnFigures, number, number, string][] = [];
    for (const request of heavyRequests()) {
      if (!`${request.name} ${request.line}`.includes(values.only)) continue;
      for (let n = 0; n < Number(values.repeat); n++) {
        const began = once(child, 'message');
        child.send('begin');
        await began;
        const start = performance.now();
        const { status, bytes, text } = await answer(url, request);
        const elapsed = performance.now() - start;
        const ended = once(child, 'message');
        child.send('end');
        const [figures] = (await ended) as [TurnFigures];
        measured.push([request.name, figures, status, elapsed, status >= 400 ? text : `${bytes} bytes`]);
      }
    }
    measured.sort(([, a], [, b]) => b.longestMs - a.longestMs);
    console.log('longest ms    CPU ms    elapsed  status  request');
    for (const [name, { longestMs, cpuMs }, status, elapsed, text] of measured) {
      if (longestMs < Number(values.above)) continue;
      const numbers = [longestMs, cpuMs, elapsed].map((ms) => ms.toFixed(1).padStart(10)).join(' ');
      console.log(`${numbers}  ${status}  ${name}  ${text.slice(0, 150)}`);
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});

async function answer(
  url: string,
  { line, body }: HeavyRequest,
): Promise<{ status: number; bytes: number; text: string }> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const text = typeof body === 'function' ? body() : body;
  const type = /_bulk|_msearch/.test(path) ? 'application/x-ndjson' : 'application/json';
  const reply = await fetch(url + path, {
    method,
    ...(text !== undefined && { body: text, headers: { 'content-type': type } }),
  });
  let bytes = 0;
  let head = '';
  for await (const part of reply.body ?? []) {
    bytes += part.length;
    if (head.length < 400) head += Buffer.from(part).toString('utf8', 0, 400);
  }
  return { status: reply.status, bytes, text: head };
}
