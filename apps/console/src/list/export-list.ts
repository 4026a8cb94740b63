// Exports a list from its snapshot, in its order, page by page. Where the browser can write to a file that the reader chooses, nothing is
// kept in memory; else the file is made in memory and downloaded.

import { toJson } from '@octavo/client';
import { valueAt } from './fields.ts';
import { type ListHit, type ListQuery, searchSnapshot } from './snapshot.ts';

const PAGE = 1_000;

export interface Export {
  readonly name: string;
  readonly format: 'ndjson' | 'csv';
  readonly snapshot: string;
  readonly list: ListQuery;
  /** The columns of a CSV file. */
  readonly columns: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

interface Sink {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function exportList(wanted: Export): Promise<void> {
  const { format, snapshot, list, columns, signal } = wanted;
  const sink = await openSink(`${wanted.name}.${format}`);
  const source = format === 'csv' ? columns.filter((name) => !name.startsWith('_')) : undefined;
  if (format === 'csv') await sink.write(csvLine(columns));
  for (let from = 0, total = 1; from < total; from += PAGE) {
    const { hits } = await searchSnapshot(snapshot, { ...list, source }, { from, size: PAGE }, signal);
    total = hits.total?.value ?? 0;
    const lines = hits.hits.map((hit) =>
      format === 'csv'
        ? csvLine(columns.map((name) => fieldText(hit, name)))
        : `${toJson({ _index: hit._index, _id: hit._id, _source: hit._source })}\n`,
    );
    await sink.write(lines.join(''));
    wanted.onProgress(Math.min(total, from + PAGE), total);
  }
  await sink.close();
}

function fieldText(hit: ListHit, name: string): string {
  if (name === '_id') return hit._id;
  if (name === '_index') return hit._index;
  if (name === '_score') return hit._score === null ? '' : String(hit._score);
  const value = valueAt(hit._source, name);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** A line as in RFC 4180. */
function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\r\n`;
}

interface FileHandle {
  createWritable(): Promise<Sink>;
}

async function openSink(name: string): Promise<Sink> {
  const page = window as { showSaveFilePicker?: (options: object) => Promise<FileHandle> };
  if (page.showSaveFilePicker !== undefined) {
    const file = await page.showSaveFilePicker({ suggestedName: name });
    return await file.createWritable();
  }
  const parts: string[] = [];
  return {
    write: async (text) => void parts.push(text),
    close: async () => download(name, new Blob(parts)),
  };
}

/** Hands a file to the browser. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken the data once the download has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
