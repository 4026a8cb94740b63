// The general part of the OpenAPI document: name, version, tags, authentication.

/** `info.version` is the API version, as in the header Octavo-Api-Version; docs/api-versioning.md. */
export const API_INFO: {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
} = {
  title: 'Octavo application API',
  version: '1',
  description: [
    'Feeds, chats, accounts and transactions, events and keys. Lists can be read by cursor, or opened at any page.',
    'Errors are problems (RFC 9457). Amounts of money are decimal strings.',
    '',
    'The search endpoints of the same server (`/{index}/_search` and others) speak the OpenSearch wire protocol. Those',
    'that most applications use are described here with their main members.',
  ].join('\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'feed', description: 'Items, newest first; by cursor, token or page number.' },
  { name: 'chat', description: 'Conversations: messages, members and their read positions.' },
  { name: 'users', description: 'The current names of users, shown in mentions.' },
  { name: 'ledger', description: 'Accounts and transactions: double-entry, exact, immutable.' },
  { name: 'events', description: 'Changes, as a stream and as signed webhooks.' },
  { name: 'search', description: 'Documents: search, write, read by id. The protocol of OpenSearch.' },
  { name: 'keys', description: 'API keys and their rights.' },
  {
    name: 'server',
    description: 'Health, metrics, limits, problems and the OpenAPI document.',
  },
];

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`ApiKey <key>`: the key as returned on creation.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key as a token, or a JWT of a trusted issuer.',
  },
} as const;
