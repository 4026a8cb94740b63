// A search that was parsed before gets the same answer as one that was not. Bodies that differ only in the
// position of their page are repeated between writes, changes of the mapping and mistakes, beside the same
// bodies with so many spaces that they are parsed each time.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

before(async () => {
  let lines = '';
  for (let i = 0; i < 300; i++) {
    const id = i % 50 === 7 ? `q"${i}\\é` : `d${String(i * 7919).padStart(9, '0')}`;
    lines += `${JSON.stringify({ index: { _id: id } })}\n`;
    const d = `20${10 + (i % 3)}-0${1 + (i % 9)}-17T0${i % 10}:00:00Z`;
    const source = { n: i % 40, x: i / 8, tag: `t${i % 5}`, title: `word${i % 3} naïve`, d };
    lines += `${JSON.stringify(i % 11 === 0 ? { title: 'none' } : source)}\n`;
  }
  const mappings = {
    properties: {
      tag: { type: 'keyword' },
      n: { type: 'integer' },
      x: { type: 'float' },
      d: { type: 'date' },
    },
  };
  await ask('PUT /t', { mappings });
  assert.equal((await ask('POST /t/_bulk', lines)).body.errors, false);
});

const LISTS: readonly string[] = [
  '{"query":{"match_all":{}},"sort":[{"n":"desc"},{"x":"asc"}],"size":7,HOLE}',
  '{"sort":[{"n":{"order":"asc","missing":"_first"}},{"tag":"desc"}],HOLE,"size":5}',
  ' { "query" : {"term":{"tag":"t3"}}, HOLE , "sort":["x"],"_source":["n","t*"]}',
  '{"query":{"match":{"title":"word1"}},HOLE,"track_total_hits":false}',
  '{"query":{"match":{"title":"naïve"}},"sort":["n"],"track_scores":true,HOLE}',
  '{"sort":["tag"],"_source":false,HOLE,"version":true}',
  '{"sort":["tag"],"post_filter":{"range":{"n":{"gte":30}}},"tokens":true,HOLE}',
];

const withoutTook = (text: string): string =>
  text.replace(/"took":\d+/, '"took":0').replace(/"(next|prev)_token":"[^"]+"/g, '"$1_token":"…"');

/** Bodies that are longer than those that are kept. */
const TOO_LONG = ' '.repeat(4_096);

async function compare(body: string, query = ''): Promise<void> {
  const line = `POST /t/_search?${query}`;
  const [known, anew] = [await ask(line, body), await ask(line, body + TOO_LONG)];
  assert.equal(known.status, anew.status, body);
  assert.ok(known.status < 500, `${known.status} ${body}`);
  assert.equal(withoutTook(known.text), withoutTook(anew.text), body);
}

test('pages of one list, in any order, asked again after writes', async () => {
  for (const round of [0, 1]) {
    for (const list of LISTS) {
      for (const from of [0, 5, 5, 299, 10_000, 0]) await compare(list.replace('HOLE', `"from":${from}`));
      for (const page of [1, 3, 2, 0]) await compare(list.replace('HOLE', `"page": ${page} `));
      await compare(list.replace('HOLE', '"from":3'), 'from=9');
      await compare(list.replace('HOLE', '"from":3'), 'size=2');
    }
    await ask('DELETE /t/_doc/d000000000');
    await ask(`PUT /t/_doc/new${round}`, {
      n: 12,
      x: 3.5,
      tag: 't3',
      title: 'word1 neu',
      [`more${round}`]: 1,
    });
  }
});

const WALKS: readonly string[] = [
  '{"sort":[{"n":"desc"},{"x":"asc"}],"size":20,"tokens":true,HOLE}',
  '{"sort":[{"d":{"order":"asc","format":"yyyy"}}],"size":20,"tokens":true,HOLE}',
  '{"sort":["_doc"],"size":20,"tokens":true,"track_total_hits":false,HOLE}',
  '{"query":{"match":{"title":"naïve none neu"}},"size":20,"tokens":true,HOLE}',
];

for (const list of WALKS) {
  test(`a walk by values and by tokens, there and back: ${list}`, async () => {
    const seen: string[] = [];
    let hole = '"from":0';
    for (;;) {
      // Again and again: once it is known, then it is kept.
      for (let i = 0; i < 3; i++) await compare(list.replace('HOLE', hole));
      const { body } = await ask('POST /t/_search', list.replace('HOLE', hole));
      for (const hit of body.hits.hits) seen.push(hit._id);
      if (body.next_token === undefined) break;
      const { sort } = body.hits.hits.at(-1);
      if (sort !== undefined) await compare(list.replace('HOLE', `"search_after":${JSON.stringify(sort)}`));
      hole = `"next_token":"${body.next_token}"`;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.length, 301);
    const back: string[] = [];
    for (hole = '"from":281'; hole !== ''; ) {
      await compare(list.replace('HOLE', hole));
      const { body } = await ask('POST /t/_search', list.replace('HOLE', hole));
      for (const hit of body.hits.hits.toReversed()) back.push(hit._id);
      hole = body.prev_token === undefined ? '' : `"prev_token":"${body.prev_token}"`;
      if (body.next_token !== undefined && hole !== '')
        await compare(list.replace('HOLE', `${hole},"next_token":"${body.next_token}"`));
    }
    assert.deepEqual(back, seen.toReversed());
  });
}

test('mistakes are told in the same words', async () => {
  for (const list of LISTS) {
    for (const hole of [
      '"from":-1',
      '"from":1.5',
      '"from":"2"',
      '"from":007',
      '"from":{}',
      '"from":',
      '"from":1,"from":2',
      '"page":1,"from":2',
      '"search_after":[]',
      '"search_after":[1]',
      '"search_after":[{}]',
      '"search_after":[1,2,3,4]',
      '"next_token":"nonsense"',
      '"next_token":3',
      '"prev_token":""',
      '"prev_token":["v1"]',
      '"fr\\u006fm":1',
    ]) {
      await compare(list.replace('HOLE', hole));
    }
  }
});

test('an index that is closed, gone or made anew is looked for again', async () => {
  const body = '{"sort":["n"],"from":0,"size":3}';
  await ask('PUT /g/_doc/1', { n: 1 });
  for (const step of ['', 'POST /g/_close', 'POST /g/_open', 'DELETE /g', 'PUT /g/_doc/2']) {
    if (step !== '') await ask(step, step.startsWith('PUT') ? { n: 2, other: true } : undefined);
    for (const from of [0, 1]) {
      const text = body.replace('0', String(from));
      const [a, b] = [await ask('POST /g/_search', text), await ask('POST /g/_search', text + TOO_LONG)];
      assert.equal(a.status, b.status, step);
      assert.equal(withoutTook(a.text), withoutTook(b.text), step);
    }
  }
});

test('searches that differ in more than their position are kept apart', async () => {
  const bodies = [
    '{"query":{"range":{"n":{"from":0,"to":9}}},"size":300,"from":5}',
    '{"query":{"range":{"n":{"from":7,"to":9}}},"size":300,"from":5}',
    '{"query":{"terms":{"n":[1,2]}},"size":300}',
    '{"query":{"terms":{"n":[12]}},"size":300}',
    '{"query":{"terms":{"n":["1","2"]}},"size":3}',
    '{"query":{"term":{"n":9007199254740992}}}',
    '{"query":{"term":{"n":9007199254740993}}}',
    '{"size":2,"sort":["n","tag"]}',
    '{"size":2,"sort":["tag","n"]}',
    '{"size":2,"sort":["tag","n"],"_source":"n"}',
  ];
  for (const _ of [0, 1]) for (const body of bodies) await compare(body);
  const texts = await Promise.all(bodies.map((body) => ask('POST /t/_search', body)));
  // The two numbers beyond the field may find the same nothing.
  const distinct = new Set(texts.map(({ text }) => withoutTook(text)));
  assert.ok(distinct.size >= bodies.length - 1, [...distinct].join('\n'));
});
