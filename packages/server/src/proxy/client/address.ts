// Where is the cluster that holds the documents, and who are we there? A list of addresses of one cluster, with one
// name and password or API key, and the authority that its certificates are signed by.

/** How a cluster is reached. */
export interface ClusterAddress {
  /** At least one. */
  readonly nodes: readonly URL[];
  /** The `Authorization` of every request; what clients send of their own is never passed on. */
  readonly authorization?: string | undefined;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: Buffer | undefined;
}

/** Who we are there: a user with a password, or an API key as the cluster gave it (`id:key`, or that in base64). */
export interface ClusterCredentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * Reads `https://node1:9200,https://node2:9200`. A user and password may stand in the addresses, the same in all.
 * Throws RangeError, with words that hold no password, for what is no such list.
 */
export function parseCluster(
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
    throw new RangeError('a user stands in the addresses, and another beside them');
  const whos = new Set(
    urls.filter(hasCredentials).map(({ username, password }) => `${username}:${password}`),
  );
  if (whos.size > 1)
    throw new RangeError('the addresses name different users or passwords; give one for all');
  if (urls.some((url) => url.protocol !== first.protocol))
    throw new RangeError('the nodes of a cluster speak http or https, all the same');
  const user = inside === undefined ? credentials.user : decodeURIComponent(inside.username);
  const password = inside === undefined ? credentials.password : decodeURIComponent(inside.password);
  // One that is named twice is one: a second try there is none elsewhere.
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
    throw new RangeError('a node is an address such as https://node1:9200');
  if (url.search !== '' || url.hash !== '') throw new RangeError(`the address of ${url.host} has a query`);
  return url;
}

function authorizationOf({ user, password, apiKey }: ClusterCredentials): string | undefined {
  if (apiKey !== undefined && user !== undefined)
    throw new RangeError('a user and an API key exclude each other');
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
