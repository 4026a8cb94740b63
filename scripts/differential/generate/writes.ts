// Random writes, each to documents of its own, with a look at the result.

import type { Step } from '../case.ts';
import type { Body, Generator } from './generator.ts';
import { makeQuery } from './queries.ts';

/** Writes under ids that begin with `prefix`. */
export function writeSteps(g: Generator, prefix: string): Step[] {
  const { random } = g;
  const id = (): string => `${prefix}-${random.int(1, 3)}`;
  const steps = random.list(1, 5, () =>
    random.weighted<Step>([
      [
        3,
        () =>
          g.uses('write _bulk', {
            method: 'POST',
            path: '/$scratch/_bulk',
            lines: random.list(1, 3, () => action(g, id())).flat(),
          }),
      ],
      [
        3,
        () =>
          g.uses('write index', {
            method: 'PUT',
            path: `/$scratch/_doc/${id()}${parameters(g)}`,
            body: source(g),
          }),
      ],
      [
        1,
        () => g.uses('write create', { method: 'PUT', path: `/$scratch/_create/${id()}`, body: source(g) }),
      ],
      [
        3,
        () =>
          g.uses('write update', {
            method: 'POST',
            path: `/$scratch/_update/${id()}${random.pick(['', '', '?_source=true', '?_source=title'])}`,
            body: update(g),
          }),
      ],
      [0.6, () => g.uses('_reindex', reindex(g))],
      [1, () => g.uses('write delete', { method: 'DELETE', path: `/$scratch/_doc/${id()}${parameters(g)}` })],
    ]),
  );
  return [
    ...steps,
    { method: 'POST', path: '/$scratch/_mget', body: { ids: [1, 2, 3].map((n) => `${prefix}-${n}`) } },
  ];
}

/** Copies some of the documents. */
function reindex(g: Generator): Step {
  const { random } = g;
  return {
    method: 'POST',
    path: '/_reindex?refresh=true',
    body: {
      source: {
        index: '$index',
        ...random.members(0.6, { query: () => makeQuery(g, 0) }),
        ...random.members(0.2, { _source: () => ['title', 'seq'], size: () => 7 }),
      },
      dest: {
        index: '$scratch',
        ...random.members(0.2, {
          op_type: () => 'create',
          version_type: () => random.pick(['internal', 'external']),
        }),
      },
      ...random.members(0.2, {
        conflicts: () => 'proceed',
        script: () => ({ source: "ctx._source.title = 'copied'; ctx._id = 'r' + ctx._id" }),
      }),
    },
  };
}

function source(g: Generator): Body {
  const { random } = g;
  const body: Body = { ...random.pick(g.dataset.documents).source };
  for (const name of Object.keys(body)) if (random.chance(0.5)) delete body[name];
  // A value that its field refuses.
  if (random.chance(0.12))
    body[random.pick(['n', 'when', 'ip', 'flag', 'title', 'place', 'obj', 'seq'])] = random.pick<unknown>([
      'nonsense',
      { a: 1 },
      [1, 'x'],
      1e20,
      true,
    ]);
  return body;
}

function parameters(g: Generator): string {
  return g.random.weighted([
    [6, () => ''],
    [1, () => '?op_type=create'],
    [1, () => `?version=${g.random.int(1, 9)}&version_type=${g.random.pick(['external', 'external_gte'])}`],
    [1, () => '?if_seq_no=0&if_primary_term=7'],
    [1, () => '?refresh=true'],
    [0.5, () => '?version=2'],
    [0.5, () => '?require_alias=true'],
  ]);
}

function update(g: Generator): Body {
  const { random } = g;
  return random.weighted<Body>([
    [
      4,
      () => ({
        doc: source(g),
        ...random.members(0.2, {
          doc_as_upsert: () => true,
          detect_noop: () => false,
          upsert: () => source(g),
          _source: () => true,
        }),
      }),
    ],
    [
      2,
      () => ({
        script: script(g),
        ...random.members(0.4, { upsert: () => source(g), scripted_upsert: () => true }),
      }),
    ],
    [0.3, () => ({ doc: source(g), script: script(g) })],
  ]);
}

function script(g: Generator): unknown {
  const { random } = g;
  const text = random.pick([
    'ctx._source.seq = (ctx._source.seq ?: 0) + params.by',
    "ctx._source.title = 'set'",
    "ctx.op = 'none'",
    "if (ctx._source.n == null) { ctx.op = 'delete' } else { ctx._source.n = 3 }",
    "ctx._source.remove('title')",
    'ctx._source.list = [1, 2.5, params.by]',
    'ctx._source.seq.foo()',
    'ctx._source.x +',
  ]);
  return random.chance(0.8) || text.includes('params')
    ? { source: text, lang: 'painless', params: { by: random.int(1, 5) } }
    : text;
}

function action(g: Generator, id: string): unknown[] {
  const { random } = g;
  const meta = {
    _id: id,
    ...random.members(0.06, {
      require_alias: () => false,
      routing: () => 'r',
      if_seq_no: () => 1,
      retry_on_conflict: () => 2,
    }),
  };
  const kind = random.pick(['index', 'create', 'update', 'delete']);
  if (kind === 'delete') return [{ delete: meta }];
  return [{ [kind]: meta }, kind === 'update' ? update(g) : source(g)];
}
