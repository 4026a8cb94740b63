// Writes imported documents, by `_bulk` to a server or directly into a data directory. Both accept batches
// and return the refused documents.

import type { Engine, WriteOp } from '@octavo/engine';
import { Failure } from '../failure.ts';
import { type HttpAnswer, type HttpClient, refusalReason } from './http-client.ts';
import type { IncomingDocument } from './read-documents.ts';

/** A refused document. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** Accepts batches one after the other. */
export interface ImportSink {
  /** Resolves when the batch is durable; returns the refused documents. */
  write(batch: readonly IncomingDocument[]): Promise<Refusal[]>;
  close(): Promise<void>;
}

/** Attempts for an overloaded server, and the first pause; pauses double. */
const TRIES = 8;
const FIRST_PAUSE_MS = 100;

/** Writes to a running server. */
export function createHttpSink(client: HttpClient): ImportSink {
  return {
    async write(batch) {
      const body = bulkBody(batch);
      let answer: HttpAnswer | undefined;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        answer = await client.send('POST', '/_bulk', body, 'application/x-ndjson');
        if (answer.status !== 429) break;
        await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** attempt));
      }
      if (answer === undefined || answer.status >= 400) {
        throw new Failure(
          `The server refused the documents from line ${batch[0]?.line}: ${answer && refusalReason(answer)}`,
        );
      }
      return bulkRefusals(answer, batch);
    },
    close: async () => client.close(),
  };
}

const NEWLINE = Buffer.from('\n');

function bulkBody(batch: readonly IncomingDocument[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const { action, index, id, routing, source } of batch) {
    const meta = { _index: index, _id: id, routing };
    parts.push(Buffer.from(JSON.stringify({ [action]: meta })), NEWLINE);
    if (source !== undefined) parts.push(source, NEWLINE);
  }
  return Buffer.concat(parts);
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: Record<string, { status: number; error?: ErrorText }>[];
}

/** An error as `_bulk` prints it. */
interface ErrorText {
  readonly type?: unknown;
  readonly reason?: unknown;
  readonly col?: unknown;
  readonly caused_by?: unknown;
}

/** The reason of `_bulk` for every document that cannot be parsed; its cause has the details. */
const VAGUE = 'failed to parse';

/** The reason of an error for people. Errors of the JSON parser are causes, and have their place in the document. */
function reasonText({ type, reason, caused_by }: ErrorText): string {
  const cause = caused_by as ErrorText | undefined;
  if (reason !== VAGUE || cause === undefined) return `${reason} (${type})`;
  if (cause.type === 'not_x_content_exception') return `${reason}: it is not a JSON object (${type})`;
  // The document is one line, so the column is the place.
  const what = String(cause.reason)
    .replace(/\n at \[[^\]]*\]/, '')
    .replace(/ \(start marker at \[[^\]]*\]\)/, '');
  return `${reason}: ${what}${cause.col === undefined ? '' : `, at column ${cause.col}`} (${type})`;
}

function bulkRefusals(answer: HttpAnswer, batch: readonly IncomingDocument[]): Refusal[] {
  const text = answer.body.toString('utf8');
  if (/"errors"\s*:\s*false/.test(text.slice(0, 100))) return [];
  const refusals: Refusal[] = [];
  const { items } = JSON.parse(text) as BulkAnswer;
  for (const [at, item] of items.entries()) {
    const error = Object.values(item)[0]?.error;
    if (error !== undefined) refusals.push({ line: batch[at]?.line ?? 0, reason: reasonText(error) });
  }
  return refusals;
}

/** Writes directly into an engine and closes it at the end. */
export function createEngineSink(engine: Engine): ImportSink {
  return {
    async write(batch) {
      // Loaded late: it loads the engine, which imports into a server do not need.
      const { errorObject } = await import('../../errors/error-body.ts');
      const results = await engine.write(batch.map(toOp));
      const refusals: Refusal[] = [];
      for (const [at, { error }] of results.entries()) {
        if (error !== undefined) {
          refusals.push({ line: batch[at]?.line ?? 0, reason: reasonText(errorObject(error)) });
        }
      }
      return refusals;
    },
    close: () => engine.close(),
  };
}

function toOp(doc: IncomingDocument): WriteOp {
  const base = {
    kind: doc.action,
    index: doc.index ?? '',
    ...(doc.id === undefined ? {} : { id: doc.id }),
    ...(doc.routing === undefined ? {} : { routing: doc.routing }),
  };
  if (doc.action === 'update') return { ...base, update: updateOf(doc) };
  return doc.source === undefined ? base : { ...base, source: doc.source };
}

function updateOf(doc: IncomingDocument): NonNullable<WriteOp['update']> {
  try {
    const body = JSON.parse(Buffer.from(doc.source ?? []).toString('utf8')) as Record<string, unknown>;
    const bytes = (key: string): Uint8Array | undefined =>
      body[key] === undefined ? undefined : Buffer.from(JSON.stringify(body[key]));
    const [partial, upsert] = [bytes('doc'), bytes('upsert')];
    return {
      ...(partial === undefined ? {} : { doc: partial }),
      ...(upsert === undefined ? {} : { upsert }),
      ...(body['doc_as_upsert'] === true ? { docAsUpsert: true } : {}),
    };
  } catch {
    throw new Failure(`Line ${doc.line} is not the body of an update, such as {"doc":{…}}.`);
  }
}
