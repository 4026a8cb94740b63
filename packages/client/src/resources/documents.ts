// Documents of an index: reads and writes by id, and bulk writes from any iterable. Bulk results come in the
// order of the operations.

import { OctavoError } from '../errors.ts';
import { toJson } from '../json.ts';
import { type CallOptions, encodePath, requireOptions, signalOf, type Transport } from '../transport.ts';

/** A stored document. */
export interface StoredDocument<Source = unknown> {
  readonly _index: string;
  readonly _id: string;
  readonly _version: number;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: Source;
}

/** The result of a write. */
export interface WriteReply {
  readonly _index: string;
  readonly _id: string;
  readonly _version: number;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found';
}

/** The expected version of the document. With another version the write throws OctavoError with status 409. */
export interface VersionOptions extends CallOptions {
  readonly ifSeqNo?: number;
  /** @default 1 */
  readonly ifPrimaryTerm?: number;
}

const VERSION_OPTIONS = ['ifSeqNo', 'ifPrimaryTerm', 'signal'];

/** One operation of a bulk write. */
export type BulkOperation<Source = unknown> =
  | { readonly op: 'index' | 'create'; readonly id?: string; readonly source: Source }
  | { readonly op: 'update'; readonly id: string; readonly doc: Partial<Source>; readonly upsert?: boolean }
  | { readonly op: 'delete'; readonly id: string };

/** The result of one bulk operation. A refused operation does not stop the others. */
export interface BulkResult {
  readonly op: BulkOperation['op'];
  readonly _id: string;
  readonly status: number;
  readonly result?: WriteReply['result'];
  readonly error?: { readonly type: string; readonly reason: string };
}

export interface BulkOptions extends CallOptions {
  /** Operations per request. @default 1,000 */
  readonly size?: number;
  /** The approximate size of a request, in UTF-16 units. @default 4,000,000 */
  readonly length?: number;
}

/**
 * The documents of one index or alias.
 *
 *     const books = client.documents<Book>('books');
 *     await books.index('1', { title: 'Emma' });
 *     const book = await books.get('1');                         // undefined if there is none
 *     for await (const { _id, error } of books.bulk(lines())) if (error) console.warn(_id, error.reason);
 */
export class Documents<Source = unknown> {
  readonly #transport: Transport;
  readonly #index: string;

  constructor(transport: Transport, index: string) {
    this.#transport = transport;
    this.#index = index;
  }

  /** The document; undefined if there is none. */
  async get(id: string, options: CallOptions = {}): Promise<StoredDocument<Source> | undefined> {
    try {
      return await this.#transport.call({
        method: 'GET',
        path: this.#at('_doc', id),
        ...signalOf(options),
        safe: true,
      });
    } catch (error) {
      const isMissing = error instanceof OctavoError && error.status === 404;
      if (isMissing && error.code !== 'index_not_found_exception') return undefined;
      throw error;
    }
  }

  /** Writes a document under an id and replaces an existing one. Retried: a second write has the same effect. */
  async index(id: string, source: Source, options: VersionOptions = {}): Promise<WriteReply> {
    requireOptions(options, VERSION_OPTIONS);
    const { signal, ...version } = options;
    return await this.#transport.call({
      method: 'PUT',
      path: this.#at('_doc', id),
      query: versionQuery(version),
      body: source,
      signal,
      // With a version, a repeated write would conflict with the first.
      safe: version.ifSeqNo === undefined,
    });
  }

  /** Writes a document under an id that the server makes. Never retried. */
  async add(source: Source, options: CallOptions = {}): Promise<WriteReply> {
    const call = { method: 'POST', path: encodePath([this.#index, '_doc']), body: source } as const;
    return await this.#transport.call({ ...call, ...signalOf(options), safe: false });
  }

  /** Replaces members of the document by those of `doc`. Objects are merged. Never retried. */
  async update(id: string, doc: Partial<Source>, options: VersionOptions = {}): Promise<WriteReply> {
    requireOptions(options, VERSION_OPTIONS);
    const { signal, ...version } = options;
    const call = { method: 'POST', path: this.#at('_update', id), body: { doc } } as const;
    return await this.#transport.call({ ...call, query: versionQuery(version), signal, safe: false });
  }

  /** Deletes a document. Returns true if it existed. */
  async delete(id: string, options: VersionOptions = {}): Promise<boolean> {
    requireOptions(options, VERSION_OPTIONS);
    const { signal, ...version } = options;
    const call = { method: 'DELETE', path: this.#at('_doc', id), query: versionQuery(version) } as const;
    try {
      await this.#transport.call({ ...call, signal, safe: version.ifSeqNo === undefined });
      return true;
    } catch (error) {
      if (error instanceof OctavoError && error.status === 404) return false;
      throw error;
    }
  }

  /**
   * Writes a stream of operations, one request at a time. If the caller stops early, the operations whose results it has
   * seen are written. A lost request is retried only if all its operations are `index` with an id or `delete`.
   */
  async *bulk(
    operations: Iterable<BulkOperation<Source>> | AsyncIterable<BulkOperation<Source>>,
    options: BulkOptions = {},
  ): AsyncGenerator<BulkResult> {
    requireOptions(options, ['size', 'length', 'signal']);
    const { size = 1_000, length = 4_000_000, signal } = options;
    let lines = '';
    let count = 0;
    let safe = true;
    const send = async (): Promise<readonly BulkResult[]> => {
      const text = lines;
      const repeatable = safe;
      [lines, count, safe] = ['', 0, true];
      const call = { method: 'POST', path: encodePath([this.#index, '_bulk']), text } as const;
      const headers = { 'content-type': 'application/x-ndjson' };
      const reply = await this.#transport.call<BulkReply>({ ...call, headers, signal, safe: repeatable });
      return reply.items.map(resultOf);
    };
    for await (const operation of operations) {
      lines += linesOf(operation);
      count++;
      safe &&= operation.op === 'delete' || (operation.op === 'index' && operation.id !== undefined);
      if (count >= size || lines.length >= length) yield* await send();
    }
    if (count > 0) yield* await send();
  }

  #at(endpoint: string, id: string): string {
    return encodePath([this.#index, endpoint, id]);
  }
}

interface BulkReply {
  readonly items: readonly Readonly<Record<string, Omit<BulkResult, 'op'>>>[];
}

function resultOf(item: BulkReply['items'][number]): BulkResult {
  const [[op, { _id, status, result, error }]] = Object.entries(item) as [[BulkResult['op'], BulkResult]];
  return {
    ...{ op, _id, status },
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}

function linesOf(operation: BulkOperation): string {
  const { op, id } = operation;
  const head = `${toJson({ [op]: id === undefined ? {} : { _id: id } })}\n`;
  if (operation.op === 'delete') return head;
  if (operation.op !== 'update') return `${head}${toJson(operation.source)}\n`;
  const { doc, upsert } = operation;
  return `${head}${toJson({ doc, ...(upsert === true ? { doc_as_upsert: true } : {}) })}\n`;
}

function versionQuery({ ifSeqNo, ifPrimaryTerm = 1 }: VersionOptions): Record<string, number> {
  return ifSeqNo === undefined ? {} : { if_seq_no: ifSeqNo, if_primary_term: ifPrimaryTerm };
}
