// The clients and tools that `npm run test:clients` runs, with the versions that it installs.

export type Language = 'js' | 'python' | 'go' | 'java';

export interface Client {
  readonly name: string;
  readonly language: Language;
  /** As the language's package client takes them; the version of the first one is shown in the table. */
  readonly packages: readonly string[];
  /** The product that the client expects: clients of Elasticsearch refuse to talk to another one. */
  readonly product: 'opensearch' | 'elasticsearch';
  /** Seconds that its program may take, 120 if not given. */
  readonly seconds?: number;
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'opensearch-js',
    language: 'js',
    packages: ['@opensearch-project/opensearch@3.9.0'],
    product: 'opensearch',
  },
  {
    name: 'elasticsearch-js',
    language: 'js',
    packages: ['@elastic/elasticsearch@9.5.1'],
    product: 'elasticsearch',
  },
  { name: 'opensearch-py', language: 'python', packages: ['opensearch-py==3.2.0'], product: 'opensearch' },
  {
    name: 'elasticsearch-py',
    language: 'python',
    packages: ['elasticsearch==9.5.1'],
    product: 'elasticsearch',
  },
];
