// The rate of partial updates: bulk updates of two fields, with detect_noop off so that repeated rounds do
// work too.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BulkFile, bulkRounds, docsPerRound } from '../../measure/bulk-rounds.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import { BATCH } from '../../measure/load-corpus.ts';
import type { Claim, Question, Setting } from '../../measure/question.ts';

const NAME = 'bulk_partial_update';

export const bulkPartialUpdate: Question = {
  name: NAME,
  asks: 'How fast are parts of documents changed?',
  run: async (setting) => [await bulkRounds(setting, NAME, updates(setting), { fresh: false })],
  claims: (rows): Claim[] => [
    {
      work: 'bulk ingest, durable and searchable when acknowledged',
      says: 'partial updates, × a warm OpenSearch',
      ...timesOpenSearch(rows, NAME),
      unit: '×',
      atLeast: 6,
    },
  ],
};

function updates(setting: Setting): BulkFile {
  return updatesOf(join(setting.folder, 'updates.ndjson'), setting.truth.ids.slice(0, docsPerRound(setting)));
}

/** Writes bulk updates of two fields of these documents to a file. */
export function updatesOf(file: string, ids: readonly string[]): BulkFile {
  const cuts = [0];
  const requests: string[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const lines = ids.slice(at, at + BATCH).map((id, k) => {
      const doc = { score: (k % 100) / 10, size: at + k };
      return `{"update":{"_id":"${id}"}}\n${JSON.stringify({ doc, detect_noop: false })}\n`;
    });
    requests.push(lines.join(''));
    cuts.push((cuts.at(-1) ?? 0) + (requests.at(-1)?.length ?? 0));
  }
  writeFileSync(file, requests.join(''));
  return { file, cuts };
}
