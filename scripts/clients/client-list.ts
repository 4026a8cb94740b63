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
    name: 'esrally',
    language: 'python',
    packages: ['esrally==2.13.0'],
    product: 'elasticsearch',
    seconds: 300,
  },
  {
    name: 'opensearch-benchmark',
    language: 'python',
    packages: ['opensearch-benchmark==2.4.0'],
    product: 'opensearch',
    seconds: 300,
  },
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
  {
    name: 'elasticsearch-dsl',
    language: 'python',
    packages: ['elasticsearch-dsl==8.18.0'],
    product: 'elasticsearch',
  },
  { name: 'elasticdump', language: 'js', packages: ['elasticdump@6.125.1'], product: 'opensearch' },
  {
    name: 'searchkit',
    language: 'js',
    packages: ['@searchkit/api@4.14.0', 'searchkit@4.16.0'],
    product: 'opensearch',
  },
  {
    name: 'winston-elasticsearch',
    language: 'js',
    packages: ['winston-elasticsearch@0.19.0', 'winston@3.19.0', '@elastic/elasticsearch@8'],
    product: 'elasticsearch',
  },
  {
    name: 'pino-elasticsearch',
    language: 'js',
    packages: ['pino-elasticsearch@9.0.0', 'pino@10.4.0', '@elastic/elasticsearch@9.5.1'],
    product: 'elasticsearch',
  },
  {
    name: 'langchain-bm25',
    language: 'python',
    packages: ['langchain-community==0.4.2', 'elasticsearch>=8,<9'],
    product: 'elasticsearch',
  },
  {
    name: 'opensearch-go',
    language: 'go',
    packages: ['github.com/opensearch-project/opensearch-go/v4@v4.8.1'],
    product: 'opensearch',
  },
  {
    name: 'go-elasticsearch',
    language: 'go',
    packages: ['github.com/elastic/go-elasticsearch/v8@v8.19.7'],
    product: 'elasticsearch',
  },
  {
    name: 'olivere',
    language: 'go',
    packages: ['github.com/olivere/elastic/v7@v7.0.32'],
    product: 'elasticsearch',
  },
  {
    name: 'opensearch-java',
    language: 'java',
    packages: [
      'org.opensearch.client:opensearch-java:3.9.0',
      'org.apache.httpcomponents.client5:httpclient5:5.5',
    ],
    product: 'opensearch',
  },
  {
    name: 'elasticsearch-java',
    language: 'java',
    packages: [
      'co.elastic.clients:elasticsearch-java:9.5.6',
      'com.fasterxml.jackson.core:jackson-databind:2.18.3',
    ],
    product: 'elasticsearch',
  },
];
