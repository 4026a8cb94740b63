// The navigation of the site, by what a reader wants to do.

interface Entry {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: Entry[];
}

function group(text: string, entries: Readonly<Record<string, string>>): Group {
  return { text, items: Object.entries(entries).map(([name, link]) => ({ text: name, link })) };
}

export const sidebar: Group[] = [
  group('Start', {
    Overview: '/',
    'A feed in twenty minutes': '/tutorial',
  }),
  group('Build lists and feeds', {
    'Choosing a kind of paging': '/guides/paging',
    'A feed in a mobile app': '/guides/mobile-feed',
    'A chat inbox': '/guides/chat-inbox',
    'Export and sync': '/guides/export-and-sync',
    Events: '/events',
  }),
  group('Write code', {
    'Using the client': '/guides/client',
    'Embedding the engine': '/guides/embedding',
    'Mentions and tokens in other languages': '/guides/other-languages',
    Scripts: '/scripts',
    'Writing a driver': '/writing-a-driver',
  }),
  group('Run it', {
    Console: '/console',
    Deployment: '/guides/deployment',
    Monitoring: '/guides/monitoring',
    Upgrades: '/guides/upgrades',
    Operating: '/operating',
    Keys: '/keys',
    'Records on PostgreSQL': '/postgres',
    'Documents in a cluster': '/cluster',
    'Moving between stores': '/migrating',
    Growth: '/growth',
  }),
  group('Decide', {
    Comparison: '/comparison',
    'Compatibility with OpenSearch': '/compatibility',
    'Switching from another service': '/guides/switching',
    Benchmarks: '/benchmarks',
    'Every benchmark case': '/benchmarks-cases',
    Promises: '/promises',
  }),
  group('Look up', {
    Glossary: '/glossary',
    'The search wire': '/reference/wire',
    'Application API': '/reference/api',
    'Lists of feeds and chats': '/reference/lists',
    'Command line': '/reference/cli',
    Limits: '/reference/limits',
    Metrics: '/reference/metrics',
    Errors: '/reference/errors',
    'Versions of the API': '/api-versioning',
    'File formats': '/reference/segment-format',
    'The differential test': '/differential',
    Releasing: '/releasing',
  }),
];
