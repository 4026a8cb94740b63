// Where are the documents, if not in the data directory? The flags that name a cluster of OpenSearch or Elasticsearch, and
// the cluster that they make. Addresses may hold a password, so nothing here prints them.

import { readFileSync } from 'node:fs';
import type { Option } from 'commander';
import { type ClusterAddress, parseClusterAddress } from '../proxy/client/address.ts';
import { EXIT, Failure, systemReason } from './failure.ts';
import { flag } from './flags.ts';

/** The flags as commander gives them. */
export interface ClusterFlagValues {
  readonly documents?: string;
  readonly documentsUser?: string;
  readonly documentsPassword?: string;
  readonly documentsApiKey?: string;
  readonly documentsCa?: string;
}

/** `--documents` and what belongs to it. */
export function clusterFlags(): Option[] {
  return [
    flag(
      '--documents <urls>',
      'documents in an OpenSearch or Elasticsearch instead: https://node1:9200,https://node2:9200',
    ),
    flag('--documents-user <name>', 'who we are there'),
    flag('--documents-password <text>', 'its password; better in the environment, where nobody lists it'),
    flag('--documents-api-key <key>', 'or an API key of that cluster'),
    flag('--documents-ca <file>', 'the authority its certificates are signed by (PEM)'),
  ];
}

/** The cluster that the flags name; undefined without `--documents`. Throws a Failure for what does not fit. */
export function readClusterFlags(flags: ClusterFlagValues): ClusterAddress | undefined {
  const { documents, documentsUser: user, documentsPassword: password, documentsApiKey: apiKey } = flags;
  if (documents === undefined) {
    if (
      user !== undefined ||
      password !== undefined ||
      apiKey !== undefined ||
      flags.documentsCa !== undefined
    )
      throw new Failure('The other flags of --documents are nothing without it.', EXIT.usage);
    return undefined;
  }
  try {
    return parseClusterAddress(documents, { user, password, apiKey }, readCa(flags.documentsCa));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure(`--documents: ${error.message}.`, EXIT.usage);
  }
}

function readCa(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Failure(`--documents-ca ${file} cannot be read: ${systemReason(error)}.`);
  }
}
