// What does a page cost, by depth? Pages of 20 sorted by three fields, reached by from, search_after and page number,
// of all documents and of a section with a fifteenth and one with a hundredth of them.

import { sectionName } from '../corpus.ts';
import {
  expectEqual,
  type Question,
  type Row,
  type Setting,
  search,
  searchRequest,
  type Target,
  timeAll,
} from '../question.ts';

const SIZE = 20;
const DEPTHS = [0, 10_000, 500_000];
const SORT = [{ gmt_modified: 'desc' }, { score: 'desc' }, { id: 'asc' }];
/** How many different pages near a depth are asked for in turn. */
const SPREAD = 25;
const MODES = ['from', 'search_after', 'page'] as const;

export const pages: Question = { name: 'pages', asks: 'What does a page of 20 cost, by depth?', run };

async function run(setting: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { label, section } of filters(setting)) {
    const order = setting.truth.sorted(section);
    for (const depth of depthsIn(order.length)) {
      for (const mode of MODES) {
        const bodies = offsetsNear(depth, order.length).map((offset) => body(setting, mode, offset, section));
        const takes = (target: Target): boolean => mode !== 'page' || target.name === 'octavo';
        for (const target of setting.targets)
          if (takes(target)) await check(setting, target, mode, depth, section);
        const requests = bodies.map(searchRequest);
        const name = `${label}, depth ${depth.toLocaleString('en-US')}, ${mode}`;
        rows.push(await timeAll(setting, name, (target) => (takes(target) ? requests : undefined)));
      }
    }
  }
  return rows;
}

/** No filter, a common section, a rare one. */
function filters({ truth }: Setting): { label: string; section: number | undefined }[] {
  const share = (section: number): string =>
    `${((100 * (truth.sectionSizes[section] ?? 0)) / truth.docs).toFixed(1)} %`;
  return [
    { label: 'all', section: undefined },
    { label: share(2), section: 2 },
    { label: share(20), section: 20 },
  ];
}

/** The depths that there are; the last one is cut to the end. */
function depthsIn(matches: number): number[] {
  const last = Math.max(0, Math.floor((matches - SPREAD * SIZE - SIZE) / SIZE) * SIZE);
  return [...new Set(DEPTHS.map((depth) => Math.min(depth, last)))];
}

function offsetsNear(depth: number, matches: number): number[] {
  const offsets: number[] = [];
  for (let k = 0; k < SPREAD; k++)
    offsets.push(depth === 0 ? 0 : Math.min(depth + k * SIZE, Math.max(0, matches - SIZE)));
  return depth === 0 ? [0] : offsets;
}

function body(
  setting: Setting,
  mode: (typeof MODES)[number],
  offset: number,
  section: number | undefined,
): object {
  const { truth } = setting;
  const query = section === undefined ? { match_all: {} } : { term: { section: sectionName(section) } };
  const start = { query, sort: SORT, size: SIZE };
  if (mode === 'from' || offset === 0)
    return mode === 'page' ? { ...start, page: 1 } : { ...start, from: offset };
  if (mode === 'page') return { ...start, page: Math.floor(offset / SIZE) + 1 };
  const before = truth.sorted(section)[offset - 1] ?? 0;
  return { ...start, search_after: truth.sortValues(before) };
}

/** Total and ids of one page are the right ones. */
async function check(
  setting: Setting,
  target: Target,
  mode: (typeof MODES)[number],
  depth: number,
  section: number | undefined,
): Promise<void> {
  const order = setting.truth.sorted(section);
  const reply = await search(target, { ...body(setting, mode, depth, section), track_total_hits: true });
  const what = `${mode} at ${depth} in section ${section ?? 'all'}`;
  expectEqual(target, `total of ${what}`, reply.hits.total?.value, order.length);
  const expected = [...order.subarray(depth, depth + SIZE)].map((doc) => setting.truth.ids[doc]);
  expectEqual(
    target,
    `ids of ${what}`,
    reply.hits.hits.map((hit) => hit._id),
    expected,
  );
}
