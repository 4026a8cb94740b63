// `octavo serve --demo`: loads the demo (the package @octavo/demo, if it is installed) with a progress bar, and prints
// commands to try.

import type { Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { Failure } from '../failure.ts';
import { elapsedSeconds, formatCount, perSecond, startProgress } from '../io/progress.ts';

type Demo = typeof import('@octavo/demo');

/** How the demo is loaded. */
interface DemoOptions {
  readonly quiet: boolean;
  readonly signal?: AbortSignal;
  /** Gets the progress as a sentence. */
  readonly onProgress?: (progress: string) => void;
}

/** Loads what is missing of the demo. Throws Failure if it is not installed, or its index belongs to somebody else. */
export async function loadDemo(
  engine: Engine,
  records: Records,
  address: string,
  options: DemoOptions,
  importDemo: () => Promise<Demo> = () => import('@octavo/demo'),
): Promise<void> {
  const demo = await importDemo().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure('The demo is not installed: run "npm install @octavo/demo" where octavo is installed.');
  });
  const { INDEX, IndexTaken, SYNSETS, loadSynsets, loadRecords } = demo;
  const started = performance.now();
  const bar = startProgress({ label: 'loading WordNet', total: SYNSETS, quiet: options.quiet });
  let written: number;
  try {
    written = await loadSynsets(engine, {
      signal: options.signal,
      onProgress: (documents) => {
        bar.update(documents);
        options.onProgress?.(
          `The demo is being loaded: ${formatCount(documents)} of ${formatCount(SYNSETS)} documents.`,
        );
      },
    });
  } catch (error) {
    throw error instanceof IndexTaken ? new Failure(error.message) : error;
  } finally {
    bar.end();
  }
  if (options.signal?.aborted === true) return;
  options.onProgress?.('The demo is being loaded: posts, messages and accounts.');
  await loadRecords(records);
  if (options.quiet) return;
  process.stderr.write(
    written === 0
      ? `The demo is already loaded: ${formatCount(engine.indices.stats(INDEX).docCount)} synsets.\n`
      : `Loaded ${formatCount(written)} synsets in ${elapsedSeconds(started)} s (${formatCount(perSecond(written, started))} docs/s).\n`,
  );
  const commands = await demo.exampleCommands(engine, address);
  process.stdout.write(`\nThings to try:\n\n${commands.join('\n')}\n`);
  process.stdout.write(`The application API:\n\n${demo.recordsCommands(address).join('\n')}\n`);
}
