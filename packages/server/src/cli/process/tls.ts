// Where do the certificate and its key come from, and what when they are renewed? Two PEM files, read at the start, and
// again when they have changed: nobody restarts a server for a certificate.

import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { EXIT, Failure, systemReason } from '../failure.ts';

/** A certificate chain and its key, as PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Paths as they are given on the command line. */
export interface TlsFlags {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

const LOOK_EVERY_MS = 60_000;

/** Reads both; undefined where none is named. Throws a Failure where they are not what they should be. */
export function readTls({ tlsCert, tlsKey }: TlsFlags): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Failure('--tls-cert and --tls-key belong together.', EXIT.usage);
  }
  const files = { cert: readPem(tlsCert, '--tls-cert'), key: readPem(tlsKey, '--tls-key') };
  try {
    createSecureContext(files);
  } catch (error) {
    throw new Failure(`The certificate ${tlsCert} and the key ${tlsKey} do not fit: ${systemReason(error)}.`);
  }
  return files;
}

/** Gives the server renewed files. Files that do not fit are told and the ones before go on. Returns how to stop. */
export function watchTlsFiles(server: Server, flags: TlsFlags, tell: (line: string) => void): () => void {
  let seen = stampOf(flags);
  const timer = setInterval(() => {
    const stamp = stampOf(flags);
    if (stamp === seen) return;
    seen = stamp;
    try {
      const files = readTls(flags);
      if (files === undefined) return;
      server.setSecureContext(files);
      tell('octavo: the certificate has changed and is in use');
    } catch (error) {
      tell(`octavo: the certificate has changed and is not used: ${(error as Error).message}`);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Changes when one of the files does; both are renewed one after the other, so a half may be seen once. */
function stampOf({ tlsCert = '', tlsKey = '' }: TlsFlags): string {
  return [tlsCert, tlsKey].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
}

function readPem(file: string, name: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Failure(`${name} ${file} cannot be read: ${systemReason(error)}.`);
  }
}
