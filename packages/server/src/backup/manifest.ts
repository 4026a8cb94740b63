// The last entry of a backup archive. It names every file before it with length and hash, so it proves that
// the archive is whole.
//
//   records.db   catalog/manifest   log/…   segments/…   manifest.json        a plain tar
//
// Where a file turned out to be damaged, `refused.txt` says so in its place, and the archive is worth nothing.

/** The name of the last entry. */
export const MANIFEST = 'manifest.json';

/** The last entry of an archive that was given up: why, in one sentence. */
export const REFUSAL = 'refused.txt';

/** The format written; all formats from 1 on are read. */
export const ARCHIVE_FORMAT = 1;

/** A file of a data directory in an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** The last entry of an archive. */
export interface ArchiveManifest {
  readonly format: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** The last commit of the archived documents. */
  readonly commit: number;
  readonly files: readonly ArchivedFile[];
}

/**
 * True for names a data directory can have: an archive from anywhere must not write outside the directory.
 */
export function isDataFile(name: string): boolean {
  if (name === 'records.db') return true;
  const [folder, file, ...more] = name.split('/');
  if (more.length > 0 || file === undefined || file.startsWith('.')) return false;
  if (folder !== 'log' && folder !== 'segments' && folder !== 'catalog') return false;
  return /^[A-Za-z0-9._-]{1,100}$/.test(file);
}

/** Parses the last entry. Throws Error with what is wrong. */
export function parseManifest(text: string): ArchiveManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`its ${MANIFEST} is not JSON`);
  }
  const manifest = json as Partial<ArchiveManifest> | null;
  if (typeof manifest?.format !== 'number' || !Array.isArray(manifest.files)) {
    throw new Error(`its ${MANIFEST} is not that of an Octavo archive`);
  }
  if (manifest.format > ARCHIVE_FORMAT) {
    throw new Error(
      `it has format ${manifest.format}; this Octavo reads formats 1 to ${ARCHIVE_FORMAT}: use a newer one`,
    );
  }
  return manifest as ArchiveManifest;
}
