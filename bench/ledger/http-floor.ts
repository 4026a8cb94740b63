// The cost of HTTP itself: a server that replies to every request with the bytes of a transfer. `http` uses
// node:http; `socket` uses node:net with minimal HTTP.

import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';

const BODY = JSON.stringify({
  id: '0198f3c0-0000-7000-8000-000000000000',
  kind: 'transfer',
  from: 'a1',
  to: 'a2',
  currency: 'EUR',
  money: '0.01',
  money_minor: '1',
  reference: null,
  external_id: null,
  hold: null,
  reverses: null,
  created_at: '2026-11-21T07:00:00.000Z',
});
const HEADERS = [
  'octavo-api-version',
  '1',
  'x-request-id',
  'abcdefgh-1',
  'x-content-type-options',
  'nosniff',
  'cache-control',
  'no-store',
  'location',
  '/api/transactions/0198f3c0-0000-7000-8000-000000000000',
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(BODY.length),
];

const overHttp = (): ReturnType<typeof createSocketServer> =>
  createServer((_request, response) => {
    response.writeHead(201, HEADERS);
    response.end(BODY);
  });

const overSocket = (): ReturnType<typeof createSocketServer> => {
  let text = 'HTTP/1.1 201 Created\r\n';
  for (let at = 0; at < HEADERS.length; at += 2) text += `${HEADERS[at]}: ${HEADERS[at + 1]}\r\n`;
  text += `Date: ${new Date().toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${BODY}`;
  return createSocketServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (bytes.toString('latin1').endsWith('\r\n\r\n')) socket.write(text, 'latin1');
    });
  });
};

if (import.meta.main) {
  const server = process.argv[2] === 'socket' ? overSocket() : overHttp();
  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
}
