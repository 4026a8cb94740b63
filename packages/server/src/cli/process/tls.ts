// The TLS certificate and key: two PEM files, read at the start and again when they change, so that a renewal
// needs no restart.

import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { EXIT, Failure, systemReason } from '../failure.ts';

/** A certificate chain and its key, as PEM. */
interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Paths from the command line. */
interface TlsFlags {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

const LOOK_EVERY_MS = 60_000;

/** Reads both files; undefined if none is named. Throws a Failure for files that do not work. */
export function readTls({ tlsCert, tlsKey }: TlsFlags): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Failure('--tls-cert and --tls-key must be given together.', EXIT.usage);
  }
  const files = { cert: readPem(tlsCert, '--tls-cert'), key: readPem(tlsKey, '--tls-key') };
  try {
    createSecureContext(files);
  } catch (error) {
    throw new Failure(
      `The certificate ${tlsCert} and the key ${tlsKey} do not match: ${systemReason(error)}.`,
    );
  }
  return files;
}

/**
 * Passes renewed files to the server. Files that do not work are reported, and the old ones stay in use.
 * Returns a function that stops.
 */
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
      tell('octavo: the new certificate is in use');
    } catch (error) {
      tell(`octavo: the new certificate cannot be used: ${(error as Error).message}`);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Changes when one of the files does. Both are renewed one after the other, so a mismatch may be seen once.
 */
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
