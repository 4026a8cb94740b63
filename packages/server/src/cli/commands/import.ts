// `octavo import`: reads a file, guesses its format, and writes its documents in batches.

import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Command, Option } from 'commander';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { directFlag, flag, headerFlag, keyFlag, quietFlag, sentHeaders, urlFlag } from '../flags.ts';
import { HttpClient } from '../io/http-client.ts';
import { createEngineSink, createHttpSink, type ImportSink, type Refusal } from '../io/import-sink.ts';
import { elapsedSeconds, formatCount, perSecond, startProgress } from '../io/progress.ts';
import {
  FORMATS,
  guessFormat,
  type ImportFormat,
  type IncomingDocument,
  readDocuments,
} from '../io/read-documents.ts';
import { openEngine, requireOneTarget } from '../open-stores.ts';
import { listenForInterrupts } from '../process/interrupt.ts';

interface ImportFlags {
  readonly index?: string;
  readonly url: string;
  readonly data?: string;
  readonly format?: ImportFormat;
  readonly idField?: string;
  readonly key?: string;
  readonly header?: Record<string, string>;
  readonly quiet?: boolean;
}

/** A batch is written at this many bytes or documents. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_DOCS = 5000;

/** Refusals printed one by one; the rest are counted. */
const PRINTED_REFUSALS = 10;

export function importCommand(): Command {
  return new Command('import')
    .description('Import documents from a file into an index.')
    .argument('<file>', 'NDJSON, bulk NDJSON, CSV or TSV, also gzipped; - reads stdin')
    .addOption(flag('--index <name>', 'the target index; not needed for a bulk file that names it'))
    .addOption(urlFlag())
    .addOption(directFlag({ creates: true }))
    .addOption(
      new Option('--format <format>', 'the format of the file (default: by its name and first line)')
        .choices(FORMATS)
        .env('OCTAVO_FORMAT'),
    )
    .addOption(
      flag(
        '--id-field <field>',
        'the field or column whose value becomes the _id (default: a new id for each document)',
      ),
    )
    .addOption(keyFlag('the scope search:write'))
    .addOption(headerFlag())
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: ImportFlags, command: Command) => {
      requireOneTarget(flags.data, command.getOptionValueSource('url'));
      return runImport(file, flags);
    });
}

const EXAMPLES = `
Formats:
  ndjson   one JSON document per line
  bulk     the body of _bulk: an action line, then its document
  csv      RFC 4180 with a header line. The header decides between comma, semicolon and tab as separator.
           If all values of a column in the first 1,000 rows are numbers, its values become numbers.
           Empty fields are left out.
  tsv      the same with tabs

Examples:
  octavo import books.ndjson --index books --id-field isbn
  octavo import prices.csv.gz --index prices --url http://search.internal:9200
  zcat dump.gz | octavo import - --index dump --format bulk --data ./data

Lines that cannot be read and documents that are refused are counted, and the first ten are printed on
stderr with their line number. The others are imported. The exit code is then 1.`;

/** Imports one file. Throws a Failure if anything was refused. */
async function runImport(file: string, flags: ImportFlags): Promise<void> {
  const { stream, size } = openInput(file);
  const interrupted = listenForInterrupts();
  const started = performance.now();
  const tally = { done: 0, refused: 0 };
  let sink: ImportSink | undefined;
  try {
    const { chunks, start } = await unpackInput(stream, file);
    const format = flags.format ?? guessFormat(file === '-' ? '' : file, start);
    const onBadLine = (line: number, reason: string): void => {
      printRefusals([{ line, reason }], tally.refused++);
    };
    const batches = readDocuments(chunks, { format, index: flags.index, idField: flags.idField, onBadLine });
    sink =
      flags.data === undefined
        ? createHttpSink(new HttpClient(flags.url, sentHeaders(flags)))
        : createEngineSink(await openEngine(flags.data));
    const shown = startProgress({ label: 'importing', total: size, quiet: flags.quiet });
    try {
      await pump(batches, sink, interrupted.signal, (refusals, documentsDone) => {
        tally.done += documentsDone - refusals.length;
        printRefusals(refusals, tally.refused);
        tally.refused += refusals.length;
        shown.update(tally.done, bytesReadOf(stream));
      });
    } finally {
      shown.end();
    }
  } finally {
    stream.destroy();
    await sink?.close();
    interrupted.stop();
  }
  summary(flags, tally, started, interrupted.signal.aborted);
}

function summary(
  flags: ImportFlags,
  tally: { done: number; refused: number },
  started: number,
  cut: boolean,
): void {
  if (flags.quiet !== true) {
    const speed = `${elapsedSeconds(started)} s (${formatCount(perSecond(tally.done, started))} docs/s)`;
    process.stderr.write(`imported ${formatCount(tally.done, 'document')} in ${speed}\n`);
  }
  if (cut) throw new Failure('Interrupted: the rest of the file was not imported.');
  if (tally.refused > 0)
    throw new Failure(
      `${formatCount(tally.refused, 'document')} ${tally.refused === 1 ? 'was' : 'were'} refused.`,
    );
}

function printRefusals(refusals: readonly Refusal[], before: number): void {
  for (const { line, reason } of refusals.slice(0, Math.max(0, PRINTED_REFUSALS - before))) {
    process.stderr.write(`line ${line}: ${reason}\n`);
  }
}

/** Overlaps reading and writing: one batch is written while the next is built, in order. */
async function pump(
  batches: AsyncIterable<IncomingDocument[]>,
  sink: ImportSink,
  signal: AbortSignal,
  onWritten: (refusals: Refusal[], documents: number) => void,
): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let batch: IncomingDocument[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    bytes = 0;
    await writing;
    if (full.length === 0) return;
    writing = sink.write(full).then((refusals) => onWritten(refusals, full.length));
    // Thrown at the next await; until then it must not count as unhandled.
    writing.catch(() => {});
  };
  try {
    for await (const incoming of batches) {
      for (const doc of incoming) {
        batch.push(doc);
        bytes += (doc.source?.length ?? 0) + 64;
        if (bytes >= BATCH_BYTES || batch.length >= BATCH_DOCS) await flush();
      }
      if (signal.aborted) break;
    }
    await flush();
  } finally {
    await writing;
  }
}

function openInput(file: string): { stream: ReadStream | typeof process.stdin; size: number | undefined } {
  if (file === '-') return { stream: process.stdin, size: undefined };
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw new Failure(`${file} cannot be read: it is a folder.`, EXIT.failed);
    return { stream: createReadStream(file, { highWaterMark: 1 << 20 }), size: stat.size };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} cannot be read: ${systemReason(error)}.`);
  }
}

function bytesReadOf(stream: ReadStream | typeof process.stdin): number {
  return 'bytesRead' in stream ? stream.bytesRead : 0;
}

/** The bytes of the file, unzipped if it is gzip, and its start for guessing the format. */
async function unpackInput(
  stream: ReadStream | typeof process.stdin,
  file: string,
): Promise<{ chunks: AsyncIterable<Buffer>; start: Buffer }> {
  const raw = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const plain = await readStart(raw, file);
  if (plain.start[0] !== 0x1f || plain.start[1] !== 0x8b) return plain;
  const gunzip = createGunzip();
  const pumping = (async () => {
    for await (const chunk of plain.chunks) {
      if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve));
    }
    gunzip.end();
  })();
  pumping.catch((error: Error) => gunzip.destroy(error));
  return readStart(gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>, file);
}

/** Reads until there is a line, and returns everything again from the start. */
async function readStart(
  source: AsyncIterator<Buffer>,
  file: string,
): Promise<{ chunks: AsyncIterable<Buffer>; start: Buffer }> {
  const next = async (): Promise<IteratorResult<Buffer>> => {
    try {
      return await source.next();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
        throw new Failure(`${file} is not complete gzip: ${(error as Error).message}.`);
      }
      throw new Failure(`${file} cannot be read: ${systemReason(error)}.`);
    }
  };
  let start = Buffer.alloc(0);
  while (!start.includes(10) && start.length < 1 << 20) {
    const step = await next();
    if (step.done === true) break;
    start = Buffer.concat([start, step.value]);
  }
  // A leading byte order mark is not part of the data.
  if (start.subarray(0, 3).equals(MARK)) start = start.subarray(3);
  async function* all(): AsyncGenerator<Buffer> {
    if (start.length > 0) yield start;
    for (let step = await next(); step.done !== true; step = await next()) yield step.value;
  }
  return { chunks: all(), start };
}

const MARK = Buffer.from('\uFEFF');
