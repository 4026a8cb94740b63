// Opens the settings of a data directory without its documents: one lock and one small file, for commands
// that need no more.

import type { Settings } from '../../api.ts';
import { Catalog } from '../../catalog/catalog.ts';
import { readMark } from '../../catalog/manifest-mark.ts';
import { CURE } from '../../catalog/read-manifest.ts';
import type { Disk } from '../../disk/disk.ts';
import { openDisk } from '../../disk/real.ts';
import { CatalogSettings } from '../indices/catalog-settings.ts';
import { hasCatalog } from './startup-consistency.ts';

/** Settings opened alone. No engine can open the directory until they are closed. */
export interface OpenSettings {
  readonly settings: Settings;
  close(): Promise<void>;
}

/**
 * Opens the settings of a directory; a missing one is created. Rejects if the directory is locked, and like
 * the start of an engine if the catalog is damaged, or missing although there are documents.
 */
export async function openSettings(dir: string, given?: Disk): Promise<OpenSettings> {
  const disk = given ?? (await openDisk(dir));
  const unlock = await disk.lock();
  try {
    if (!(await hasCatalog(disk))) await refuseDocuments(disk);
    const catalog = await Catalog.open(disk);
    return {
      settings: new CatalogSettings(catalog),
      close: async () => {
        await catalog.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** The next start would take a catalog created here for that of the documents. */
async function refuseDocuments(disk: Disk): Promise<void> {
  const folders = ['log', 'segments'].map((folder) => disk.list(folder));
  const hasFiles = (await Promise.all(folders)).some((names) => names.length > 0);
  if (!hasFiles && ((await readMark(disk)) ?? 0) === 0) return;
  throw new Error(
    `catalog/manifest is missing, and what else is there belongs to one; nothing was made; ${CURE}`,
  );
}
