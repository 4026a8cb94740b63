// Serves the page, and answers its searches with Searchkit: the browser sends what is typed and chosen, Searchkit makes queries for Octavo
// of it. The key and all other indices stay out of reach of the browser.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Searchkit from '@searchkit/api';
import { build } from 'esbuild';

const { OCTAVO_URL = 'http://127.0.0.1:9200', OCTAVO_KEY, PORT = '8080' } = process.env;
const INDEX = 'wordnet';

const searchkit = Searchkit({
  connection: { host: OCTAVO_URL, ...(OCTAVO_KEY && { headers: { authorization: `Bearer ${OCTAVO_KEY}` } }) },
  search_settings: {
    search_attributes: [{ field: 'words', weight: 3 }, 'definition'],
    result_attributes: ['words', 'definition', 'lexname'],
    highlight_attributes: ['words', 'definition'],
    facet_attributes: [
      { attribute: 'pos', field: 'pos', type: 'string' },
      { attribute: 'lexname', field: 'lexname', type: 'string' },
    ],
    sorting: { default: { field: '_score', order: 'desc' } },
  },
});

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>WordNet</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css">
<div id="root"></div><script type="module" src="/page.js"></script></html>`;

const bundle = await build({
  entryPoints: [`${import.meta.dirname}/page.tsx`],
  bundle: true,
  minify: true,
  write: false,
  outdir: '/',
  format: 'esm',
  jsx: 'automatic',
});
const files = new Map(bundle.outputFiles.map(({ path, contents }) => [path, contents]));
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = files.get(pathname);
  if (request.method === 'POST' && pathname === '/search') {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { indexName: string }[];
    if (asked.some(({ indexName }) => indexName !== INDEX)) return void response.writeHead(403).end();
    const results = await searchkit.handleRequest(asked as never);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(results));
  } else if (file !== undefined) {
    const type = TYPES[pathname.slice(pathname.lastIndexOf('.'))] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(file);
  } else if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  else response.writeHead(404).end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(502).end();
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
