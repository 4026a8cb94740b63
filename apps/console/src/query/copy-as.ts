// A request as code: for curl, fetch, our client, and the clients of OpenSearch.

export interface ConsoleRequest {
  readonly method: string;
  /** With a leading slash. */
  readonly path: string;
  /** JSON, or empty. */
  readonly body: string;
}

export const LANGUAGES = ['curl', 'fetch', '@octavo/client', 'opensearch-js', 'opensearch-py'] as const;
export type Language = (typeof LANGUAGES)[number];

export function copyAs(language: Language, url: string, request: ConsoleRequest): string {
  const { method, path, body } = request;
  const text = compact(body);
  const hasBody = text !== '';
  switch (language) {
    case 'curl':
      return [
        `curl -X ${method} ${quoteShell(url + path)}`,
        ...(hasBody ? [`-H 'content-type: application/json'`, `-d ${quoteShell(text)}`] : []),
      ].join(' \\\n  ');
    case 'fetch':
      return [
        `const reply = await fetch(${JSON.stringify(url + path)}, {`,
        `  method: ${JSON.stringify(method)},`,
        ...(hasBody
          ? [`  headers: { 'content-type': 'application/json' },`, `  body: JSON.stringify(${text}),`]
          : []),
        '});',
        'console.log(await reply.json());',
      ].join('\n');
    case '@octavo/client':
      return [
        "import { OctavoClient } from '@octavo/client';",
        '',
        `const client = new OctavoClient({ url: ${JSON.stringify(url)} });`,
        `const reply = await client.call({`,
        `  method: ${JSON.stringify(method)},`,
        `  path: ${JSON.stringify(path)},`,
        ...(hasBody ? [`  body: ${text},`] : []),
        `  safe: ${method === 'GET' || /_search|_count|_msearch/.test(path)},`,
        '});',
      ].join('\n');
    case 'opensearch-js':
      return [
        "import { Client } from '@opensearch-project/opensearch';",
        '',
        `const client = new Client({ node: ${JSON.stringify(url)} });`,
        'const { body } = await client.transport.request({',
        `  method: ${JSON.stringify(method)},`,
        `  path: ${JSON.stringify(path)},`,
        ...(hasBody ? [`  body: ${text},`] : []),
        '});',
      ].join('\n');
    case 'opensearch-py':
      return [
        'import json',
        'from opensearchpy import OpenSearch',
        '',
        `client = OpenSearch(${JSON.stringify(url)})`,
        `reply = client.transport.perform_request(`,
        `    ${JSON.stringify(method)}, ${JSON.stringify(path)},`,
        ...(hasBody ? [`    body=json.loads(${JSON.stringify(text)}),`] : []),
        ')',
      ].join('\n');
  }
}

/** JSON in one line; other text as it is. */
function compact(body: string): string {
  try {
    return body.trim() === '' ? '' : JSON.stringify(JSON.parse(body));
  } catch {
    return body.trim();
  }
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
