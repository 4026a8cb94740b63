// A request as code: for curl, fetch, our client, and the clients of OpenSearch.

import { parseJson, toJson } from '@octavo/client';
import { type ConsoleRequest, contentType, sentRequest, takesLines } from './console-request.ts';

export const LANGUAGES = ['curl', 'fetch', '@octavo/client', 'opensearch-js', 'opensearch-py'] as const;
export type Language = (typeof LANGUAGES)[number];

export function copyAs(language: Language, url: string, request: ConsoleRequest): string {
  const { method, path, text: body = '', safe } = sentRequest(request);
  const text = takesLines(request) ? body : compact(body);
  const hasBody = text !== '';
  const header = `'content-type': '${contentType(request)}'`;
  // Lines of JSON, and integers that JavaScript would round, are written as text; other bodies as the object that they are.
  const isText = takesLines(request) || isRounded(text);
  const literal = isText ? JSON.stringify(text) : text;
  switch (language) {
    case 'curl':
      return [
        `curl -X ${method} ${quoteShell(url + path)}`,
        ...(hasBody
          ? [`-H 'content-type: ${contentType(request)}'`, `--data-binary ${quoteShell(text)}`]
          : []),
      ].join(' \\\n  ');
    case 'fetch':
      return [
        `const reply = await fetch(${JSON.stringify(url + path)}, {`,
        `  method: ${JSON.stringify(method)},`,
        ...(hasBody
          ? [`  headers: { ${header} },`, `  body: ${isText ? literal : `JSON.stringify(${text})`},`]
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
        ...(hasBody && isText ? [`  text: ${literal},`, `  headers: { ${header} },`] : []),
        ...(hasBody && !isText ? [`  body: ${text},`] : []),
        `  safe: ${safe},`,
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
        ...(hasBody ? [`  body: ${literal},`] : []),
        '});',
      ].join('\n');
    case 'opensearch-py':
      return [
        ...(hasBody && !takesLines(request) ? ['import json'] : []),
        'from opensearchpy import OpenSearch',
        '',
        `client = OpenSearch(${JSON.stringify(url)})`,
        `reply = client.transport.perform_request(`,
        `    ${JSON.stringify(method)}, ${JSON.stringify(path)},`,
        ...(hasBody
          ? [`    body=${takesLines(request) ? literal : `json.loads(${JSON.stringify(text)})`},`]
          : []),
        ')',
      ].join('\n');
  }
}

/** JSON in one line; other text as it is. */
function compact(body: string): string {
  try {
    return body.trim() === '' ? '' : toJson(parseJson(body));
  } catch {
    return body.trim();
  }
}

/** True for JSON with an integer beyond 2^53 - 1. */
function isRounded(json: string): boolean {
  try {
    return json !== '' && JSON.stringify(JSON.parse(json)) !== json;
  } catch {
    return true;
  }
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
