// `script_fields`: what scripts compute from the documents of a page, as JSON texts.

import type { ScriptField } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import { FIELD } from '../../scripts/documents/contexts.ts';
import { DocumentScript, type RunOnDocument } from '../../scripts/documents/document-script.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import type { SearchSteps } from '../deadline.ts';
import type { PlannedSearch } from '../plan/planned-search.ts';
import { answerTooLarge } from '../search-limits.ts';
import type { PageDoc } from './document-page.ts';

/**
 * For each document of a page, the lists of values by the names of the fields. Yields between documents. Throws when they
 * are longer than an answer may be.
 */
export function* scriptFields(
  docs: readonly PageDoc[],
  { views, request, services }: Pick<PlannedSearch, 'views' | 'request' | 'services'>,
  fields: readonly ScriptField[],
): SearchSteps<readonly ReadonlyMap<string, string>[]> {
  const now = request.now ?? services.now();
  const scripts = views.map((view) =>
    fields.map(({ script }) => new DocumentScript(script, FIELD, view.mapping, () => now)),
  );
  const meter = new SearchMeter();
  const bySide = new Map<object, RunOnDocument<string>[]>();
  const out: ReadonlyMap<string, string>[] = [];
  const { maxPageBytes } = services.limits;
  let bytes = 0;
  for (const { side, doc, score } of docs) {
    let runs = bySide.get(side);
    if (runs === undefined) {
      const { docs: stored } = side.leaf;
      const readSource = (at: number): Uint8Array =>
        services.readSource(stored.sourceChunk(at), stored.sourceOffset(at), stored.sourceLength(at));
      runs = scripts[side.indexPlace]!.map((script) => script.forLeaf(side.leaf, meter, readSource));
      bySide.set(side, runs);
    }
    const values = new Map<string, string>();
    for (const [i, { name, ignoreFailure }] of fields.entries()) {
      try {
        const list = runs[i]!(doc, score);
        if (list !== '[]') values.set(name, list);
        bytes += list.length;
      } catch (error) {
        if (!ignoreFailure || !(error instanceof EngineError)) throw error;
      }
      meter.check();
      if (bytes > maxPageBytes) throw answerTooLarge(bytes, maxPageBytes);
      yield;
    }
    out.push(values);
  }
  return out;
}
