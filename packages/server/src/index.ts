// The door of the server: HTTP over an engine, or over a cluster that has the documents.

export { LIMITS, type Limit, type LimitName, type Limits } from './limits.ts';
export { createServer, type ListenOptions, listen, openCluster, type ServeOptions } from './serve.ts';
export { type ClusterAddress, type ClusterCredentials, parseCluster } from './wire/scaled/address.ts';
export type { Cluster } from './wire/scaled/cluster.ts';
export { documentsElsewhere } from './wire/scaled/elsewhere.ts';
