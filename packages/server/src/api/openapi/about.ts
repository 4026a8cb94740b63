// What does the OpenAPI document say of the API as a whole? Its name and version, its groups, how callers are known.

/** `info.version` is the version of the API, as the header Octavo-Api-Version tells it; docs/api-versioning.md. */
export const API_INFO: {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
} = {
  title: 'Octavo application API',
  version: '1',
  description: [
    'Feeds, chats, accounts and transfers, events and keys. Lists are walked by cursors or opened at any page;',
    'refusals are problems (RFC 9457); amounts of money are decimal strings.',
    '',
    'The search endpoints of the same server (`/{index}/_search` and its kin) speak the OpenSearch wire protocol and',
    'are not described here.',
  ].join('\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** Groups of operations. */
export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'feed', description: 'Items in reverse order of time; by cursor, by token or by page.' },
  { name: 'chat', description: 'Conversations: messages, members, how far each has read.' },
  { name: 'users', description: 'What users are called today: mentions in items and messages show it.' },
  { name: 'ledger', description: 'Accounts and transfers between them: double entry, exact, immutable.' },
  { name: 'events', description: 'What has changed, as a stream and as signed webhooks.' },
  { name: 'keys', description: 'API keys and what each may do.' },
  {
    name: 'server',
    description: 'What the server says of itself: health, metrics, limits, problems, this document.',
  },
];

/** How callers make themselves known. */
export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`ApiKey <key>`: the key as it was given when it was made.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key, or a JWT where the server trusts its issuer.',
  },
} as const;
