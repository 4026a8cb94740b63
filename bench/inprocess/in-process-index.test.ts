// Totals of in-process searches equal a plain count, with the kernels and with their TypeScript twins.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { switchKernels } from '../../packages/engine/src/score/kernel/kernel-records.ts';
import { executeSearch } from '../../packages/engine/test/execute-search.ts';
import { draft, isDeleted } from '../corpus/corpus.ts';
import { matches, queryClasses, toWire } from '../corpus/queries.ts';
import { bodiesOf, makeInProcessIndex } from './in-process-index.ts';

test('in-process totals equal a plain count, with the kernels and with their twins', async () => {
  const docs = 300;
  const folder = mkdtempSync(join(tmpdir(), 'octavo-world-'));
  try {
    const { index, services } = makeInProcessIndex(bodiesOf(docs), folder);
    const bodies = Array.from({ length: docs }, (_, i) => draft(i).words).filter((_, i) => !isDeleted(i));
    for (const { queries } of queryClasses(docs)) {
      for (const query of queries.slice(0, 5)) {
        const due = bodies.filter((words) => matches(query, words, new Set(words))).length;
        const request = { indices: ['corpus'], query: toWire(query) as JsonObject };
        for (const compiled of [true, false, true]) {
          switchKernels(compiled);
          const { total } = await executeSearch([index], request, services, 0);
          assert.equal(total?.value, due, JSON.stringify(request.query));
        }
      }
    }
  } finally {
    switchKernels(true);
    rmSync(folder, { recursive: true });
  }
});
