// The flags for documents in a cluster of OpenSearch or Elasticsearch. Addresses may contain a password, so
// nothing here prints them.

import { readFileSync } from 'node:fs';
import type { Option } from 'commander';
import { type ClusterAddress, parseClusterAddress } from '../proxy/client/address.ts';
import { EXIT, Failure, systemReason } from './failure.ts';
import { flag } from './flags.ts';

/** The values as commander parses them. */
export interface ClusterFlagValues {
  readonly documents?: string;
  readonly documentsUser?: string;
  readonly documentsPassword?: string;
  readonly documentsApiKey?: string;
  readonly documentsCa?: string;
}

/** `--documents` and its related flags. */
export function clusterFlags(): Option[] {
  return [
    flag(
      '--documents <urls>',
      'keep the documents in an OpenSearch or Elasticsearch cluster: https://node1:9200,https://node2:9200',
    ),
    flag('--documents-user <name>', 'the user with which this server calls the cluster'),
    flag(
      '--documents-password <text>',
      'the password of that user; set it in the environment, since process lists show flags',
    ),
    flag('--documents-api-key <key>', 'an API key of the cluster, instead of a user'),
    flag('--documents-ca <file>', 'the certificate authority of the cluster (PEM)'),
  ];
}

/** The cluster address; undefined without `--documents`. Throws a Failure for invalid flags. */
export function readClusterFlags(flags: ClusterFlagValues): ClusterAddress | undefined {
  const { documents, documentsUser: user, documentsPassword: password, documentsApiKey: apiKey } = flags;
  if (documents === undefined) {
    if (
      user !== undefined ||
      password !== undefined ||
      apiKey !== undefined ||
      flags.documentsCa !== undefined
    )
      throw new Failure('The flags --documents-* need --documents.', EXIT.usage);
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
