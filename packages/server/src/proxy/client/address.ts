// The address of the cluster that holds the documents: its nodes, one user or API key for all of them, and
// the certificate authority to trust.

export interface ClusterAddress {
  /** At least one. */
  readonly nodes: readonly URL[];
  /** The `Authorization` header of every request. Credentials of clients are never forwarded. */
  readonly authorization?: string | undefined;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: Buffer | undefined;
}

/** A user with a password, or an API key as the cluster issued it (`id:key`, plain or in base64). */
export interface ClusterCredentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * Parses `https://node1:9200,https://node2:9200`. The addresses may contain a user and password, the same in
 * all of them. Throws RangeError without the password in its message.
 */
export function parseClusterAddress(
  list: string,
  credentials: ClusterCredentials = {},
  ca?: Buffer,
): ClusterAddress {
  const urls = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(nodeUrl);
  const [first] = urls;
  if (first === undefined) throw new RangeError('the list of nodes is empty');
  const inside = urls.find(({ username }) => username !== '');
  if (inside !== undefined && (credentials.user !== undefined || credentials.apiKey !== undefined))
    throw new RangeError('the addresses contain a user, and another one was given as well');
  const whos = new Set(
    urls.filter(hasCredentials).map(({ username, password }) => `${username}:${password}`),
  );
  if (whos.size > 1)
    throw new RangeError('the addresses name different users or passwords; give one for all');
  if (urls.some((url) => url.protocol !== first.protocol))
    throw new RangeError('all nodes of a cluster must use the same protocol, http or https');
  const user = inside === undefined ? credentials.user : decodeURIComponent(inside.username);
  const password = inside === undefined ? credentials.password : decodeURIComponent(inside.password);
  // A node named twice is one node: a retry on it would be no retry elsewhere.
  const plain = new Set(urls.map((url) => new URL(url.pathname, url.origin).href));
  const nodes = [...plain].map((href) => new URL(href));
  const authorization = authorizationOf({ user, password, apiKey: credentials.apiKey });
  return { nodes, authorization, ca };
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function nodeUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new RangeError('the address of a node looks like https://node1:9200');
  if (url.search !== '' || url.hash !== '') throw new RangeError(`the address of ${url.host} has a query`);
  return url;
}

function authorizationOf({ user, password, apiKey }: ClusterCredentials): string | undefined {
  if (apiKey !== undefined && user !== undefined)
    throw new RangeError('give either a user or an API key, not both');
  if (apiKey !== undefined)
    return `ApiKey ${apiKey.includes(':') ? Buffer.from(apiKey).toString('base64') : apiKey}`;
  if (user === undefined) {
    if (password !== undefined && password !== '') throw new RangeError('a password without a user');
    return undefined;
  }
  if (password === undefined || password === '')
    throw new RangeError(
      'a user without a password: give --documents-password, or OCTAVO_DOCUMENTS_PASSWORD',
    );
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
