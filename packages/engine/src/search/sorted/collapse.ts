// Lists only the best hit of each group (`collapse`). The list is walked from its start in stretches, and the
// first document of every group is kept until the page is full. Totals still count documents, as the peer's
// do.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { hasBit } from '../../kernels/bits.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { attachPlace } from '../../place.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { SearchSteps } from '../deadline.ts';
import type { DocumentPage, PageDoc } from '../page/document-page.ts';

const NUMBERS = [
  'token_count',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'unsigned_long',
];
const KINDS = new Set<string>(['keyword', ...NUMBERS]);
const OPTIONS = new Set(['field', 'inner_hits', 'max_concurrent_group_searches']);
/** Documents of the first stretch; each following one is four times as long, up to a maximum. */
const FIRST_STRETCH = 256;
const MAX_STRETCH = 65_536;

/**
 * The field to collapse by, in each index: an alias may mean another one in each. Throws the peer's errors for
 * what cannot be collapsed by, or what an index does not map. If `ignoreUnmapped` and another index maps it,
 * the documents of that index have no value.
 */
export function collapseFields(
  collapse: JsonObject,
  views: readonly IndexView[],
  ignoreUnmapped = false,
): readonly (string | undefined)[] {
  for (const name of Object.keys(collapse)) {
    if (!OPTIONS.has(name))
      throw attachPlace(new EngineError('x_content_parse_exception', `[collapse] unknown field [${name}]`), {
        holder: collapse,
        key: name,
        at: 'key',
      });
  }
  const path = collapse['field'];
  if (typeof path !== 'string') {
    throw new EngineError('parsing_exception', '[collapse] requires a [field] to collapse on');
  }
  const fields = views.map((v) => v.mapping.field(path));
  const isUnmapped = (field: FieldType | undefined): boolean => field === undefined;
  if (ignoreUnmapped ? fields.every(isUnmapped) : fields.some(isUnmapped))
    throw illegalArgument(`no mapping found for \`${path}\` in order to collapse on`);
  for (const field of fields) {
    if (field === undefined) continue;
    if (!KINDS.has(field.kind)) {
      throw illegalArgument(
        `unknown type for collapse field \`${path}\`, only keywords and numbers are accepted`,
      );
    }
    if (!field.hasDocValues)
      throw illegalArgument(`cannot collapse on field \`${path}\` without \`doc_values\``);
    if (field.params['index'] === false && collapse['inner_hits'] !== undefined)
      throw illegalArgument(
        `cannot expand \`inner_hits\` for collapse field \`${path}\`, only indexed field can retrieve \`inner_hits\``,
      );
  }
  return fields.map((field) => field?.path);
}

/**
 * The group of a document: a text that is equal for equal values. Documents without a value are one group.
 */
function groupOf(doc: PageDoc, paths: readonly (string | undefined)[]): string {
  const path = paths[doc.side.indexPlace];
  const column = path === undefined ? undefined : doc.side.leaf.column(path);
  if (column === undefined || !hasBit(column.present, doc.doc)) return '';
  const start = column.starts === undefined ? doc.doc : column.starts[doc.doc]!;
  if (column.starts !== undefined && column.starts[doc.doc + 1]! - start > 1) {
    const reason = `failed to collapse ${doc.doc}, the collapse field must be single valued`;
    // A fault of the mapping, not of the request: 500, as in the peer.
    throw new EngineError('illegal_state_exception', reason, { status: 500 });
  }
  if (column.kind === 'numeric') return `${column.hi[start]}.${column.lo[start]}`;
  return `=${Buffer.from(column.terms.term(column.ordinals[start]!)).toString('latin1')}`;
}

/** A page of the best documents of groups. `pageAt` gives any stretch of the whole list. */
export function* collapsedPage(
  paths: readonly (string | undefined)[],
  from: number,
  size: number,
  pageAt: (from: number, size: number) => SearchSteps<DocumentPage>,
): SearchSteps<DocumentPage> {
  const seen = new Set<string>();
  const firsts: PageDoc[] = [];
  let at = 0;
  let stretch = FIRST_STRETCH;
  let cutShort = false;
  for (;;) {
    const page = yield* pageAt(at, stretch);
    cutShort ||= page.cutShort;
    for (const doc of page.docs) {
      const group = groupOf(doc, paths);
      if (seen.has(group)) continue;
      seen.add(group);
      firsts.push(doc);
    }
    at += page.docs.length;
    if (firsts.length > from + size || !page.after || page.docs.length === 0) {
      const docs = firsts.slice(from, from + size);
      const before = from > 0 && firsts.length > 0;
      return { ...page, docs, before, after: firsts.length > from + size, cutShort };
    }
    stretch = Math.min(4 * stretch, MAX_STRETCH);
  }
}
