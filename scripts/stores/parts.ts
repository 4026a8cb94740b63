// Which parts of the suite were asked for? All of them, but those that `OCTAVO_STORES=without-opensearch,without-quick` names.

const LEFT_OUT: ReadonlySet<string> = new Set((process.env['OCTAVO_STORES'] ?? '').split(','));

/** Whether OpenSearch may be brought up. */
export const WITH_OPENSEARCH: boolean = !LEFT_OUT.has('without-opensearch');

/** Whether files run here that `npm test` runs on PostgreSQL as well. */
export const WITH_QUICK: boolean = !LEFT_OUT.has('without-quick');
