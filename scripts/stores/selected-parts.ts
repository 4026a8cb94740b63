// The parts of the stores suite that run: all of them except those in `OCTAVO_STORES`, a comma-separated list
// of `without-opensearch`, `without-elasticsearch`, `without-quick`, `without-million`.

const LEFT_OUT: ReadonlySet<string> = new Set((process.env['OCTAVO_STORES'] ?? '').split(','));

/** True if OpenSearch may be started. */
export const WITH_OPENSEARCH: boolean = !LEFT_OUT.has('without-opensearch');

/** True if Elasticsearch may be started. */
export const WITH_ELASTICSEARCH: boolean = !LEFT_OUT.has('without-elasticsearch');

/** True if the files run that `npm test` also runs on PostgreSQL. */
export const WITH_QUICK: boolean = !LEFT_OUT.has('without-quick');

/** True if a million documents are written to OpenSearch, which takes minutes. */
export const WITH_MILLION: boolean = !LEFT_OUT.has('without-million');
