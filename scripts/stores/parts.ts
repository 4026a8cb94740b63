// Which parts of the suite were asked for? All of them, but those that `OCTAVO_STORES` names, by commas: `without-opensearch`,
// `without-elasticsearch`, `without-quick`, `without-million`.

const LEFT_OUT: ReadonlySet<string> = new Set((process.env['OCTAVO_STORES'] ?? '').split(','));

/** Whether OpenSearch may be brought up. */
export const WITH_OPENSEARCH: boolean = !LEFT_OUT.has('without-opensearch');

/** Whether Elasticsearch may be brought up. */
export const WITH_ELASTICSEARCH: boolean = !LEFT_OUT.has('without-elasticsearch');

/** Whether files run here that `npm test` runs on PostgreSQL as well. */
export const WITH_QUICK: boolean = !LEFT_OUT.has('without-quick');

/** Whether a million documents are written to an OpenSearch, which takes minutes. */
export const WITH_MILLION: boolean = !LEFT_OUT.has('without-million');
