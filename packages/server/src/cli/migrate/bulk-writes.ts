// Writes documents to the target by `_bulk` with their versions from the source: repeating a batch changes
// nothing, and an older version never replaces a newer one.

import { Failure } from '../failure.ts';
import { refusalReason } from '../io/http-client.ts';
import type { RawHit } from '../io/raw-hits.ts';
import type { Endpoint } from './endpoint.ts';

export interface Deletion {
  readonly id: string;
  readonly version?: number | undefined;
  readonly routing?: string | undefined;
}

/** A document the target refuses. */
export interface RefusedDocument {
  readonly id: string;
  readonly reason: string;
}

/** The outcome of a batch. */
interface BulkOutcome {
  readonly written: number;
  /** Ids whose version at the target is the same or newer. */
  readonly upToDate: readonly string[];
  /** Ids of deletions without a document. */
  readonly missing: readonly string[];
  readonly refused: readonly RefusedDocument[];
}

interface Line {
  readonly id: string;
  readonly bytes: Buffer;
}

/** `newer`: only if the version is above the target's. `anyway`: unconditionally. */
type WriteMode = 'newer' | 'anyway';

export function putDocuments(
  target: Endpoint,
  name: string,
  hits: readonly RawHit[],
  manner: WriteMode = 'newer',
): Promise<BulkOutcome> {
  const lines = hits.map(({ id, routing, type, version, source }): Line => {
    const typed = target.kind === 'octavo' && type !== undefined && type !== '_doc' ? { _type: type } : {};
    const meta = { _index: name, ...typed, _id: id, routing, ...versioned(version, manner) };
    return {
      id,
      bytes: Buffer.concat([Buffer.from(`${JSON.stringify({ index: meta })}\n`), source, NEWLINE]),
    };
  });
  return sendLines(target, lines);
}

export function deleteDocuments(
  target: Endpoint,
  name: string,
  gone: readonly Deletion[],
  manner: WriteMode = 'newer',
): Promise<BulkOutcome> {
  const lines = gone.map(({ id, routing, version }): Line => {
    const meta = { _index: name, _id: id, routing, ...versioned(version, manner) };
    return { id, bytes: Buffer.from(`${JSON.stringify({ delete: meta })}\n`) };
  });
  return sendLines(target, lines);
}

function versioned(version: number | undefined, manner: WriteMode): object {
  return manner === 'anyway' || version === undefined ? {} : { version, version_type: 'external' };
}

const NEWLINE = Buffer.from('\n');
const BULK_BYTES = 6_000_000;
const TRIES = 9;
const FIRST_PAUSE_MS = 100;

async function sendLines(target: Endpoint, lines: readonly Line[]): Promise<BulkOutcome> {
  let written = 0;
  const upToDate: string[] = [];
  const missing: string[] = [];
  const refused: RefusedDocument[] = [];
  for (let left = lines, attempt = 1; left.length > 0; ) {
    const now = takeFitting(left);
    const again: Line[] = [];
    for (const [at, { status, error }] of (await bulk(target, now)).entries()) {
      const line = now[at]!;
      if (status === 404 && error === undefined) missing.push(line.id);
      else if (error === undefined) written++;
      else if (status === 409) upToDate.push(line.id);
      else if (status === 429 || status === 503) again.push(line);
      else refused.push({ id: line.id, reason: `${error.reason} (${error.type})` });
    }
    left = [...again, ...left.slice(now.length)];
    if (again.length === 0) attempt = 1;
    else if (attempt++ === TRIES)
      throw new Failure(`${target.name} accepts no more documents: it is overloaded.`);
    else await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** attempt));
  }
  return { written, upToDate, missing, refused };
}

/** As many lines as fit into one body. */
function takeFitting(lines: readonly Line[]): readonly Line[] {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += line.bytes.length) > BULK_BYTES);
  return end < 0 ? lines : lines.slice(0, Math.max(1, end));
}

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason: string };
}

async function bulk(target: Endpoint, lines: readonly Line[]): Promise<BulkItem[]> {
  // The source's documents have already passed its pipelines.
  const path = target.kind === 'octavo' ? '/_bulk' : '/_bulk?pipeline=_none';
  const body = Buffer.concat(lines.map(({ bytes }) => bytes));
  const answer = await target.send('POST', path, body, 'application/x-ndjson');
  if (answer.status >= 400) throw new Failure(`${target.name} refused documents: ${refusalReason(answer)}`);
  const text = answer.body.toString('utf8');
  const { items } = JSON.parse(text) as { items: Record<string, BulkItem>[] };
  return items.map((item) => Object.values(item)[0]!);
}
