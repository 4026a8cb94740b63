// Sends the requests of cases to one server, and keeps the data of a dataset in an index there.

import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Step } from './case.ts';
import type { DataDocument, Dataset } from './dataset.ts';
import { type Json, parseReply } from './reply.ts';

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** The indices that a case runs on. */
export interface Names {
  readonly index: string;
  readonly neighbor: string;
  readonly scratch: string;
}

/** The status of a reply that did not come. */
export const NO_REPLY = 0;
const TIMEOUT_MS = 30_000;

export class Server {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends the steps one after the other. The names of the indices are put back in the replies. */
  async run(steps: readonly Step[], names: Names): Promise<Reply[]> {
    const replies: Reply[] = [];
    const taken: Taken = { scroll: 'none', pit: 'none', after: [] };
    for (const step of steps) {
      const { status, text } = await this.#patiently(
        step.method,
        fill(step.path, names, taken),
        bodyOf(step, names, taken),
      );
      takeFrom(text, taken);
      const hidden = text
        .replaceAll(names.index, '$index')
        .replaceAll(names.neighbor, '$neighbor')
        .replaceAll(names.scratch, '$scratch');
      replies.push({ status, body: parseReply(hidden) });
    }
    return replies;
  }

  /** Makes the index anew, with these documents: each once, in the order of their last writes, and none that is deleted. */
  async loadRemaining(index: string, dataset: Dataset): Promise<void> {
    const remaining = new Map<string, DataDocument & { readonly version: number }>();
    for (const each of dataset.documents) {
      const { version = 0 } = remaining.get(each.id) ?? {};
      remaining.delete(each.id);
      remaining.set(each.id, { ...each, version: version + 1 });
    }
    for (const id of dataset.deleted) remaining.delete(id);
    await this.load(index, { ...dataset, documents: [...remaining.values()], deleted: [] });
  }

  /** Makes the index anew, and writes and deletes as the dataset says. */
  async load(index: string, dataset: Dataset): Promise<void> {
    await this.drop(index);
    const { mappings } = dataset;
    const isEmpty = dataset.documents.length === 0;
    // A refresh in the middle of the writes would leave two segments, in which the phrase suggester of the peer does not
    // know how many words there are.
    const settings = isEmpty ? dataset.settings : { ...dataset.settings, refresh_interval: '-1' };
    await this.#must('PUT', `/${index}`, JSON.stringify({ settings, mappings }));
    if (isEmpty) return;
    await this.#must('POST', `/${index}/_bulk?refresh=true`, linesOf(dataset.documents));
    if (dataset.deleted.length > 0) {
      const lines = dataset.deleted.map((_id) => `${JSON.stringify({ delete: { _id } })}\n`).join('');
      await this.#must('POST', `/${index}/_bulk?refresh=true`, lines);
    }
    const { size } = new Set(dataset.documents.map(({ id }) => id));
    if (size === dataset.documents.length && dataset.deleted.length === 0) return;
    // Otherwise deleted and replaced documents count in scores.
    await this.#must('POST', `/${index}/_forcemerge?max_num_segments=1`);
  }

  async drop(index: string): Promise<void> {
    await this.#send('DELETE', `/${index}?ignore_unavailable=true`, undefined);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #must(method: string, path: string, body?: string): Promise<void> {
    const { status, text } = await this.#patiently(method, path, body);
    if (status >= 300 || status === NO_REPLY)
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
  }

  /** Sends a request again while the server has no memory for it. */
  async #patiently(
    method: string,
    path: string,
    body: string | undefined,
  ): Promise<{ status: number; text: string }> {
    const end = performance.now() + 20_000;
    for (;;) {
      const reply = await this.#send(method, path, body);
      if (reply.status !== 429 || performance.now() > end) return reply;
      await setTimeout(200);
    }
  }

  /** The reply to a request; one of status 0 if none comes in time. */
  #send(method: string, path: string, body: string | undefined): Promise<{ status: number; text: string }> {
    const type =
      path.includes('/_bulk') || path.includes('_msearch') ? 'application/x-ndjson' : 'application/json';
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          timeout: TIMEOUT_MS,
          headers:
            body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) },
        },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () =>
            resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
          reply.on('error', reject);
        },
      );
      sent.on('timeout', () => {
        resolve({ status: NO_REPLY, text: '' });
        sent.destroy();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** What later steps need of earlier replies. */
interface Taken {
  scroll: string;
  pit: string;
  after: unknown;
}

function takeFrom(text: string, taken: Taken): void {
  if (!/"_scroll_id"|"pit_id"|"sort"/.test(text)) return;
  const reply = JSON.parse(text) as {
    _scroll_id?: string;
    pit_id?: string;
    hits?: { hits?: { sort?: unknown }[] };
  };
  if (reply._scroll_id !== undefined) taken.scroll = reply._scroll_id;
  if (reply.pit_id !== undefined) taken.pit = reply.pit_id;
  const after = reply.hits?.hits?.at(-1)?.sort;
  if (after !== undefined) taken.after = after;
}

function fill(text: string, names: Names, taken: Taken): string {
  return text
    .replaceAll('"$after"', () => JSON.stringify(taken.after))
    .replaceAll('$scroll', () => taken.scroll)
    .replaceAll('$pit', () => taken.pit)
    .replaceAll('$index', names.index)
    .replaceAll('$neighbor', names.neighbor)
    .replaceAll('$scratch', names.scratch);
}

function bodyOf(step: Step, names: Names, taken: Taken): string | undefined {
  if (step.lines !== undefined)
    return step.lines.map((line) => `${fill(JSON.stringify(line), names, taken)}\n`).join('');
  return step.body === undefined ? undefined : fill(JSON.stringify(step.body), names, taken);
}

function linesOf(documents: readonly (DataDocument & { readonly version?: number })[]): string {
  return documents
    .map(({ id, source, version = 1 }) => {
      const given = version === 1 ? {} : { version, version_type: 'external' };
      return `${JSON.stringify({ index: { _id: id, ...given } })}\n${JSON.stringify(source)}\n`;
    })
    .join('');
}
