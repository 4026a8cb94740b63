// Reads the documents of a file: NDJSON, bulk NDJSON or CSV, guessed from name and content.

import { EXIT, Failure } from '../failure.ts';
import { readCsv } from './csv.ts';
import { columnKinds, rowToJson } from './csv-types.ts';
import { lineBatches } from './lines.ts';

export type ImportFormat = 'ndjson' | 'bulk' | 'csv' | 'tsv';
export const FORMATS: readonly ImportFormat[] = ['ndjson', 'bulk', 'csv', 'tsv'];

/** A document to import. `line` is its place in the file; of a bulk file, that of the document, not of its action. */
export interface IncomingDocument {
  readonly line: number;
  readonly action: 'index' | 'create' | 'update' | 'delete';
  readonly index: string | undefined;
  readonly id: string | undefined;
  readonly routing: string | undefined;
  /** The document, or the body of an update; undefined for a delete. */
  readonly source: Uint8Array | undefined;
}

export interface ReadOptions {
  readonly format: ImportFormat;
  /** The index of every document; if absent, each action line names it. */
  readonly index: string | undefined;
  /** A field (a dot path in JSON, a column in CSV) whose value becomes the `_id`. */
  readonly idField: string | undefined;
  /** Called for each unreadable line; reading continues. Without it the first one is thrown. */
  readonly onBadLine?: (line: number, reason: string) => void;
}

/** Documents of a stream, a batch per chunk. */
export function readDocuments(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<IncomingDocument[]> {
  if (options.format === 'bulk') return bulkDocuments(chunks, options);
  if (options.index === undefined) {
    throw new Failure('Name the target index: --index NAME.', EXIT.usage);
  }
  if (options.format === 'ndjson') return lineDocuments(chunks, options);
  return csvDocuments(chunks, options, options.format === 'tsv' ? '\t' : undefined);
}

/** The result for a line, or undefined if the line is unreadable and was reported. */
function skipIfBad<T>(options: ReadOptions, line: number, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (options.onBadLine === undefined || !(error instanceof Failure) || error.exitCode !== EXIT.failed)
      throw error;
    // The caller names the line.
    options.onBadLine(line, error.message.replace(/^Line \d+ (is|has|names) /, '$1 '));
    return undefined;
  }
}

async function* lineDocuments(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<IncomingDocument[]> {
  let first = true;
  for await (const lines of lineBatches(chunks)) {
    const batch: IncomingDocument[] = [];
    for (const { number, bytes } of lines) {
      if (first) refuseOtherJson(bytes);
      first = false;
      const doc = skipIfBad(options, number, () => lineDocument(bytes, number, options));
      if (doc !== undefined) batch.push(doc);
    }
    yield batch;
  }
}

/** Text that is not JSON is left to the server, which refuses that document alone. */
function lineDocument(bytes: Buffer, line: number, { index, idField }: ReadOptions): IncomingDocument {
  const id = idField === undefined ? undefined : idOf(parseLine(bytes, line), idField, line);
  return { line, action: 'index', index, id, routing: undefined, source: bytes };
}

/**
 * A pretty-printed file or one large array would fail line by line; report it once, before anything is
 * written.
 */
function refuseOtherJson(bytes: Buffer): void {
  const text = bytes.toString('utf8').trim();
  const cure = 'convert it to one document per line with: jq -c';
  if (text === '{') throw new Failure(`The documents of the file span several lines; ${cure} . FILE.`);
  if (text.startsWith('[') && holdsDocuments(text))
    throw new Failure(`The file is a JSON array, not one document per line; ${cure} '.[]' FILE.`);
}

/** True for an array of objects, or one that continues on other lines. */
function holdsDocuments(text: string): boolean {
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) && items.some(isObject);
  } catch {
    return true;
  }
}

async function* bulkDocuments(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<IncomingDocument[]> {
  let pending: Omit<IncomingDocument, 'source'> | undefined;
  for await (const lines of lineBatches(chunks)) {
    const batch: IncomingDocument[] = [];
    for (const { number, bytes } of lines) {
      const open = pending;
      if (open !== undefined) {
        pending = undefined;
        const doc = skipIfBad(options, number, () => bulkDocument(open, bytes, number));
        if (doc !== undefined) batch.push(doc);
        continue;
      }
      const read = (): Omit<IncomingDocument, 'source'> =>
        actionOf(parseLine(bytes, number), number, options.index);
      const action = skipIfBad(options, number, read);
      if (action?.action === 'delete') batch.push({ ...action, source: undefined });
      else pending = action;
    }
    if (batch.length > 0) yield batch;
  }
  const { line } = pending ?? {};
  if (line === undefined) return;
  skipIfBad(options, line, () => {
    throw new Failure(`The file ends after the action on line ${line}; its document is missing.`);
  });
}

/**
 * A server reads the body of an update with its action, so a malformed one would make it refuse the whole
 * batch.
 */
function bulkDocument(
  action: Omit<IncomingDocument, 'source'>,
  source: Buffer,
  line: number,
): IncomingDocument {
  if (action.action === 'update' && !isObject(parseLine(source, line))) {
    throw new Failure(`Line ${line} is not the body of an update, such as {"doc":{…}}.`);
  }
  return { ...action, line, source };
}

function actionOf(value: unknown, line: number, index: string | undefined): Omit<IncomingDocument, 'source'> {
  const [entry, ...others] = isObject(value) ? Object.entries(value) : [];
  const action = entry?.[0];
  const meta = entry?.[1];
  if (
    others.length > 0 ||
    !isObject(meta) ||
    (action !== 'index' && action !== 'create' && action !== 'update' && action !== 'delete')
  ) {
    throw new Failure(`Line ${line} is not an action such as {"index":{"_id":"1"}}.`);
  }
  const into = index ?? textOf(meta['_index']);
  if (into === undefined) throw new Failure(`Line ${line} names no _index; name it with --index NAME.`);
  return {
    line,
    action,
    index: into,
    id: textOf(meta['_id']),
    routing: textOf(meta['routing'] ?? meta['_routing']),
  };
}

/** Rows sampled before column types are fixed. */
const SAMPLE_ROWS = 1000;

async function* csvDocuments(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  separator: string | undefined,
): AsyncGenerator<IncomingDocument[]> {
  let columns: string[] | undefined;
  let kinds: ReturnType<typeof columnKinds> | undefined;
  let waiting: { line: number; fields: string[] }[] = [];
  const flush = (): IncomingDocument[] => {
    if (columns === undefined) return [];
    const names = columns;
    kinds ??= columnKinds(
      names.length,
      waiting.map((row) => row.fields),
    );
    const settled = kinds;
    const idColumn = idColumnOf(names, options.idField);
    const make = ({ line, fields }: { line: number; fields: string[] }): IncomingDocument => {
      if (fields.length > names.length) {
        throw new Failure(`Line ${line} has ${fields.length} fields, but the header names ${names.length}.`);
      }
      const id = idColumn === -1 ? undefined : fields[idColumn];
      if (id === '') throw new Failure(`Line ${line} has no value in the column ${names[idColumn]}.`);
      const source = Buffer.from(rowToJson(names, settled, fields));
      return { line, action: 'index', index: options.index, id, routing: undefined, source };
    };
    const batch: IncomingDocument[] = [];
    for (const row of waiting) {
      const doc = skipIfBad(options, row.line, () => make(row));
      if (doc !== undefined) batch.push(doc);
    }
    waiting = [];
    return batch;
  };
  let atStart = true;
  for await (const records of readCsv(chunks, separator, options.onBadLine)) {
    if (atStart) columns = headerOf(records.shift()?.fields ?? []);
    atStart = false;
    waiting.push(...records);
    if (kinds !== undefined || waiting.length >= SAMPLE_ROWS) yield flush();
  }
  const last = flush();
  if (last.length > 0) yield last;
}

function idColumnOf(columns: readonly string[], field: string | undefined): number {
  if (field === undefined) return -1;
  const at = columns.indexOf(field);
  if (at === -1) throw new Failure(`There is no column ${field}; the header names ${columns.join(', ')}.`);
  return at;
}

function headerOf(fields: readonly string[]): string[] {
  const seen = new Set<string>();
  return fields.map((field, at) => {
    const name = field.trim();
    if (name === '') throw new Failure(`The header names no field for column ${at + 1}.`);
    if (seen.has(name)) throw new Failure(`The header names the column ${name} twice.`);
    seen.add(name);
    return name;
  });
}

function parseLine(bytes: Buffer, line: number): unknown {
  try {
    // Keeps the digits of numbers: an id beyond 2^53 must not be rounded.
    return JSON.parse(bytes.toString('utf8'), (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? String(value)) : value,
    );
  } catch {
    throw new Failure(`Line ${line} is not JSON: ${bytes.toString('utf8', 0, 60)}`);
  }
}

function idOf(value: unknown, path: string, line: number): string {
  let at = value;
  if (isObject(value) && Object.hasOwn(value, path)) at = value[path];
  else for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  const id = textOf(at);
  if (id === undefined || id === '')
    throw new Failure(`Line ${line} has no text or number in the field ${path}.`);
  return id;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The format by the file's name, else by its first line. `start` is the start of the unpacked file. */
export function guessFormat(name: string, start: Buffer): ImportFormat {
  const text = start.toString('utf8').trimStart();
  const extension = /\.(csv|tsv|ndjson|jsonl|json|bulk)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'tsv' || extension === 'bulk') return extension;
  if (!text.startsWith('{') && !text.startsWith('[')) {
    if (extension === undefined) return /^[^\n,]*\t/.test(text) ? 'tsv' : 'csv';
    return 'ndjson';
  }
  const firstLine = text.split('\n', 1)[0] ?? '';
  return /^\{\s*"(index|create|update|delete)"\s*:\s*\{[^{}]*\}\s*\}\s*$/.test(firstLine) ? 'bulk' : 'ndjson';
}
