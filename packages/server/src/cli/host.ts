// Where do engines and servers come from? One place that loads them, late: `octavo --help` must not wait for them.

import type { Engine } from '@octavo/engine';
import { EXIT, Failure, systemReason } from './failure.ts';

/** Opens a data directory. Throws a Failure where it cannot be used. */
export async function openEngine(dir: string): Promise<Engine> {
  const { EngineError, open } = await import('@octavo/engine');
  try {
    return await open(dir);
  } catch (error) {
    if (error instanceof EngineError) throw new Failure(error.message);
    if (typeof (error as NodeJS.ErrnoException).code === 'string') {
      throw new Failure(`The data directory ${dir} cannot be opened: ${systemReason(error)}.`);
    }
    throw error;
  }
}

/** Import and export work on one of two places; naming both leaves it open which. */
export function refuseBoth(data: string | undefined, urlSource: string | undefined): void {
  if (data !== undefined && urlSource === 'cli') {
    throw new Failure('Give --url or --data, not both.', EXIT.usage);
  }
}
