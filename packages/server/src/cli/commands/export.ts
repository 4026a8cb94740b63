// `octavo export`: writes the documents of an index page by page in `_id` order to stdout or a file;
// resumable.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { JsonObject } from '@octavo/engine';
import { Command, Option } from 'commander';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { directFlag, flag, headerFlag, keyFlag, quietFlag, sentHeaders, urlFlag } from '../flags.ts';
import { type ExportSource, openEngineSource, openHttpSource } from '../io/export-source.ts';
import { HttpClient } from '../io/http-client.ts';
import { elapsedSeconds, formatCount, perSecond, startProgress } from '../io/progress.ts';
import type { RawHit } from '../io/raw-hits.ts';
import { readResumeMark, removeResumeMark, writeResumeMark } from '../io/resume-mark.ts';
import { openEngine, requireDataDirectory, requireOneTarget } from '../open-stores.ts';
import { listenForInterrupts } from '../process/interrupt.ts';

interface ExportFlags {
  readonly query?: string;
  readonly out?: string;
  readonly resume?: string;
  readonly format: 'docs' | 'bulk';
  readonly url: string;
  readonly data?: string;
  readonly key?: string;
  readonly header?: Record<string, string>;
  readonly quiet?: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('Export the documents of an index, one JSON document per line.')
    .argument('<index>', 'an index or an alias')
    .addOption(flag('--query <json>', 'only matching documents: a query as in _search, or @FILE'))
    .addOption(flag('--out <file>', 'write to this file (default: stdout)'))
    .addOption(flag('--resume <file>', 'continue an interrupted export into this file'))
    .addOption(
      new Option(
        '--format <format>',
        'docs: one document per line; bulk: each document after an action line with its _id',
      )
        .choices(['docs', 'bulk'])
        .default('docs')
        .env('OCTAVO_FORMAT'),
    )
    .addOption(urlFlag())
    .addOption(directFlag({ creates: false }))
    .addOption(keyFlag('the scope search:read'))
    .addOption(headerFlag())
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action((index: string, flags: ExportFlags, command: Command) => {
      requireOneTarget(flags.data, command.getOptionValueSource('url'));
      if (flags.out !== undefined && flags.resume !== undefined) {
        throw new Failure('Give --out to start or --resume to continue, not both.', EXIT.usage);
      }
      return runExport(index, flags);
    });
}

const EXAMPLES = `
Documents are exported in the order of their _id, as of one moment, byte for byte as stored. With --out, the state of the export
is in FILE.resume until the export is complete. A resumed export continues after the last document in the file. Documents that
changed in the meantime may appear in their new version.

Examples:
  octavo export books > books.ndjson
  octavo export books --query '{"term":{"language":"fi"}}' | gzip > finnish.ndjson.gz
  octavo export books --format bulk --out books.bulk      # octavo import books.bulk imports it, with ids
  octavo export books --format bulk --resume books.bulk   # after an interruption`;

async function runExport(index: string, flags: ExportFlags): Promise<void> {
  const query = readQuery(flags.query);
  const identity = { index, query: JSON.stringify(query), format: flags.format };
  const file = flags.resume ?? flags.out;
  const mark = flags.resume === undefined ? undefined : readResumeMark(flags.resume, identity);
  const interrupted = listenForInterrupts();
  const source = await openSource(index, query, flags);
  const started = performance.now();
  let documents = 0;
  let sink: ExportSink | undefined;
  try {
    const total = await source.total();
    sink = file === undefined ? stdoutSink() : fileSink(file, mark?.bytes);
    const shown = startProgress({ label: 'exporting', total, quiet: flags.quiet });
    const before = mark?.documents ?? 0;
    let lastId = mark?.lastId;
    try {
      while (!interrupted.signal.aborted) {
        const hits = await source.after(lastId);
        if (hits.length === 0) break;
        await sink.write(encode(hits, flags.format));
        documents += hits.length;
        lastId = hits[hits.length - 1]?.id ?? '';
        if (file !== undefined) {
          writeResumeMark(file, { ...identity, bytes: sink.bytes(), documents: before + documents, lastId });
        }
        shown.update(documents, before + documents);
      }
    } finally {
      shown.end();
    }
    if (interrupted.signal.aborted) {
      const cure = file === undefined ? '' : ` Continue with --resume ${file}.`;
      throw new Failure(`Interrupted after ${formatCount(before + documents)} documents.${cure}`);
    }
  } finally {
    sink?.close();
    await source.close();
    interrupted.stop();
  }
  if (file !== undefined) removeResumeMark(file);
  if (flags.quiet !== true) {
    process.stderr.write(
      `exported ${formatCount(documents, 'document')} in ${elapsedSeconds(started)} s (${formatCount(perSecond(documents, started))} docs/s)\n`,
    );
  }
}

async function openSource(index: string, query: JsonObject, flags: ExportFlags): Promise<ExportSource> {
  if (flags.data === undefined)
    return openHttpSource(new HttpClient(flags.url, sentHeaders(flags)), index, query);
  requireDataDirectory(flags.data);
  const engine = await openEngine(flags.data);
  if (engine.indices.info(index) === undefined) {
    await engine.close();
    throw new Failure(`There is no index ${index} in ${flags.data}.`);
  }
  return openEngineSource(engine, index, query);
}

function readQuery(text: string | undefined): JsonObject {
  if (text === undefined) return { match_all: {} };
  let json = text;
  if (text.startsWith('@')) {
    try {
      json = readFileSync(text.slice(1), 'utf8');
    } catch (error) {
      throw new Failure(`The query ${text.slice(1)} cannot be read: ${systemReason(error)}.`);
    }
  }
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const body = value as JsonObject;
      // Accepts a whole search body for its query.
      return Object.keys(body).length === 1 && isObject(body['query']) ? body['query'] : body;
    }
  } catch {
    // reported below
  }
  throw new Failure(`The query is not a JSON object: ${json.slice(0, 80)}`, EXIT.usage);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function encode(hits: readonly RawHit[], format: ExportFlags['format']): Buffer {
  const parts: Uint8Array[] = [];
  for (const { index, id, source } of hits) {
    if (format === 'bulk')
      parts.push(Buffer.from(`${JSON.stringify({ index: { _index: index, _id: id } })}\n`));
    parts.push(source, NEWLINE);
  }
  return Buffer.concat(parts);
}

const NEWLINE = Buffer.from('\n');

interface ExportSink {
  write(bytes: Buffer): Promise<void>;
  /** Bytes of the file so far. */
  bytes(): number;
  close(): void;
}

function stdoutSink(): ExportSink {
  let written = 0;
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        written += bytes.length;
        if (process.stdout.write(bytes)) resolve();
        else process.stdout.once('drain', resolve);
      }),
    bytes: () => written,
    close: () => {},
  };
}

/** A new file, or an old one cut after `keep` bytes (the rest is incomplete). */
function fileSink(file: string, keep: number | undefined): ExportSink {
  let fd: number;
  let written = keep ?? 0;
  try {
    fd = openSync(file, keep === undefined ? 'w' : 'r+');
  } catch (error) {
    const folder = dirname(file);
    if (!existsSync(folder)) throw new Failure(`${file} cannot be written: there is no folder ${folder}.`);
    throw new Failure(`${file} cannot be written: ${systemReason(error)}.`);
  }
  if (keep !== undefined) {
    const { size } = fstatSync(fd);
    // Longer is incomplete at its end; shorter has lost documents, and truncating would fill the gap with
    // zeros.
    if (size < keep) {
      closeSync(fd);
      throw new Failure(
        `${file} cannot be resumed: it has ${size} bytes, but ${keep} were written. Export it again with --out ${file}.`,
      );
    }
    ftruncateSync(fd, keep);
  }
  return {
    async write(bytes) {
      try {
        for (let at = 0; at < bytes.length; ) {
          const n = writeSync(fd, bytes, at, bytes.length - at, written);
          at += n;
          written += n;
        }
      } catch (error) {
        throw new Failure(
          `${file} cannot be written: ${systemReason(error)}. Continue later with --resume ${file}.`,
        );
      }
    },
    bytes: () => written,
    close: () => {
      try {
        fsyncSync(fd);
      } catch (error) {
        // Pipes and devices have nothing to sync.
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
      } finally {
        closeSync(fd);
      }
    },
  };
}
