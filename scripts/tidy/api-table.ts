// The operations of the application API as a table. The server is put together over empty stores, and its OpenAPI document is read.

import { createEmptyEngine } from '../../packages/server/src/proxy/empty-engine.ts';
import { createServer } from '../../packages/server/src/serve.ts';
import { fakeRecords } from '../../packages/server/test/fake-records.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The document as the server gives it. */
export async function apiDocument(): Promise<Document> {
  const app = await createServer(createEmptyEngine(), { records: fakeRecords(), logLevel: 'silent' });
  try {
    const reply = await app.inject({ url: '/api/openapi.json', headers: { host: 'localhost' } });
    return JSON.parse(reply.payload) as Document;
  } finally {
    await app.close();
  }
}

/** One section a group, one row an operation. */
export function operationsTable(document: Document): string {
  return document.tags
    .map(({ name, description }) => {
      // Endpoints of the search wire have a page of their own.
      const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api'));
      const rows = paths.flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([, operation]) => operation.tags.includes(name))
          .map(([method, operation]) => row(path, method, operation)),
      );
      if (rows.length === 0) return '';
      const head = ['| | path | what | parameters | scope |', '| --- | --- | --- | --- | --- |'];
      return `## ${name}\n\n${description}\n\n${[...head, ...rows].join('\n')}`;
    })
    .filter((section) => section !== '')
    .join('\n\n');
}

function row(path: string, method: string, operation: Operation): string {
  const names = (operation.parameters ?? [])
    .filter((each) => each.in === 'query')
    .map(({ name, required }) => (required === true ? `**${name}**` : name));
  if (operation.requestBody !== undefined) names.push('*body*');
  const scope = /Needs the scope `([^`]+)`/.exec(operation.description ?? '')?.[1] ?? '';
  const tagged = '304' in operation.responses ? ' ◇' : '';
  return `| ${method.toUpperCase()} | \`${path}\`${tagged} | ${operation.summary} | ${names.join(', ')} | ${scope} |`;
}
