// The public interface of the server: HTTP over an engine, or over a cluster that holds the documents.

export { LIMITS, type Limit, type LimitName, type Limits } from './limits.ts';
export { type ClusterAddress, type ClusterCredentials, parseClusterAddress } from './proxy/client/address.ts';
export type { PeerCluster } from './proxy/client/peer-cluster.ts';
export { createEmptyEngine } from './proxy/empty-engine.ts';
export { createServer, type ListenOptions, listen, openCluster, type ServeOptions } from './serve.ts';
