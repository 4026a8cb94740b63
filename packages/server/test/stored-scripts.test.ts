// Stored scripts and search templates: what OpenSearch 3.1 answers to the same requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

/** Status, type and reason of an error, with those of its causes. */
async function refused(line: string, body?: unknown): Promise<string> {
  const reply = await ask(line, body);
  const reasons: string[] = [];
  for (let error = reply.body.error; error !== undefined; error = error.caused_by)
    reasons.push(`${error.type}: ${error.reason}`);
  return `${reply.status} ${reasons.join(' < ')}`;
}

const painless = (source: string) => ({ script: { lang: 'painless', source } });

test('a script is stored, shown, replaced and deleted', async () => {
  assert.deepEqual((await ask('PUT /_scripts/a', painless("doc['n'].value"))).body, { acknowledged: true });
  assert.deepEqual((await ask('GET /_scripts/a')).body, {
    _id: 'a',
    found: true,
    script: { lang: 'painless', source: "doc['n'].value" },
  });
  await ask('POST /_scripts/a', { script: { lang: 'mustache', source: { size: '{{n}}' } } });
  assert.deepEqual((await ask('GET /_scripts/a')).body.script, {
    lang: 'mustache',
    source: '{"size":"{{n}}"}',
    options: { content_type: 'application/json; charset=UTF-8' },
  });
  assert.deepEqual((await ask('DELETE /_scripts/a')).body, { acknowledged: true });
  const missing = await ask('GET /_scripts/a');
  assert.deepEqual([missing.status, missing.body], [404, { _id: 'a', found: false }]);
  assert.equal(
    await refused('DELETE /_scripts/a'),
    '404 resource_not_found_exception: stored script [a] does not exist and cannot be deleted',
  );
});

test('what cannot be stored is refused in the words of OpenSearch', async () => {
  const cases: [unknown, string][] = [
    [
      { script: { lang: 'foo', source: '1' } },
      'illegal_argument_exception: unable to put stored script with unsupported lang [foo]',
    ],
    [{ script: { source: '1' } }, 'illegal_argument_exception: must specify lang for stored script'],
    [{ script: { lang: 'painless' } }, 'illegal_argument_exception: must specify source for stored script'],
    [painless(''), 'illegal_argument_exception: source cannot be empty'],
    [{ foo: 1 }, 'parsing_exception: unexpected field [foo], expected [script]'],
    [{ script: 5 }, 'parsing_exception: unexpected token [VALUE_NUMBER], expected [{, <source>]'],
    [undefined, 'parse_exception: request body is required'],
  ];
  for (const [body, expected] of cases)
    assert.equal(await refused('PUT /_scripts/x', body), `400 ${expected}`);
  assert.equal(
    await refused('PUT /_scripts/a%23b', painless('1')),
    "400 action_request_validation_exception: Validation Failed: 1: id cannot contain '#' for stored script;",
  );
  assert.match(
    await refused('PUT /_scripts/x', painless('x'.repeat(70_000))),
    /^400 illegal_argument_exception: \[source\] has more/,
  );
});

test('with a context the syntax is checked before a script is stored', async () => {
  assert.match(
    await refused('PUT /_scripts/x/score', painless('return (')),
    /^400 script_exception: compile error/,
  );
  assert.equal(
    await refused('PUT /_scripts/x/none', painless('1')),
    '400 illegal_argument_exception: failed to parse/compile stored script [x] < illegal_argument_exception: Unknown context [none]',
  );
  assert.equal((await ask('PUT /_scripts/x?context=update', painless('ctx.op = "none"'))).status, 200);
});

test('updates, bulk updates and updates by query take a stored script by its id', async () => {
  await ask('PUT /_scripts/add', painless('ctx._source.n += params.by'));
  await ask('PUT /u/_doc/1?refresh=true', { n: 1 });
  const script = { id: 'add', params: { by: 5 } };
  assert.equal((await ask('POST /u/_update/1', { script })).body.result, 'updated');
  const lines = [{ update: { _id: '1' } }, { script }, { update: { _id: '1' } }, { script: { id: 'zz' } }];
  const bulk = await ask('POST /u/_bulk', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  assert.deepEqual(
    bulk.body.items.map((item: { update: { status: number } }) => item.update.status),
    [200, 400],
  );
  assert.equal((await ask('POST /u/_update_by_query?refresh=true', { script })).body.updated, 1);
  assert.deepEqual((await ask('GET /u/_source/1')).body, { n: 16 });
  assert.equal(
    await refused('POST /u/_update/1', { script: { id: 'zz' } }),
    '400 illegal_argument_exception: failed to execute script < resource_not_found_exception: unable to find script [zz] in cluster state',
  );
  assert.equal(
    await refused('POST /u/_update_by_query', { script: { id: 'zz' } }),
    '404 resource_not_found_exception: unable to find script [zz] in cluster state',
  );
  const refusals: [unknown, RegExp][] = [
    [
      { id: 'add', lang: 'painless' },
      /< illegal_argument_exception: illegally specified <lang> for a stored script$/,
    ],
    [{ id: 'add', source: '1' }, /must only use one of \[source, id\] when specifying a script$/],
    [{ id: 5 }, /\[script\] id doesn't support values of type: VALUE_NUMBER$/],
  ];
  for (const [each, expected] of refusals)
    assert.match(await refused('POST /u/_update/1', { script: each }), expected);
  await ask('PUT /_scripts/t', { script: { lang: 'mustache', source: '{}' } });
  assert.match(
    await refused('POST /u/_update/1', { script: { id: 't' } }),
    /mustache engine does not know how to handle context \[update\]$/,
  );
});

test('a script can be tried out', async () => {
  const run = async (source: string, params = {}): Promise<unknown> =>
    (await ask('POST /_scripts/painless/_execute', { script: { source, params } })).body.result;
  assert.equal(await run('params.a + 1', { a: 2 }), '3');
  assert.equal(await run('return [1, 2]'), '[1, 2]');
  assert.equal(await run('return null'), 'null');
  const execute = (body: unknown): Promise<string> => refused('POST /_scripts/painless/_execute', body);
  assert.match(
    await execute({ script: 'return x' }),
    /^400 script_exception: compile error < .*cannot resolve symbol \[x\]$/,
  );
  assert.equal(
    await execute({ script: { id: 'add' } }),
    '400 action_request_validation_exception: Validation Failed: 1: only inline scripts are supported;',
  );
  assert.equal(await execute({}), '400 illegal_argument_exception: Required [script]');
  assert.match(await execute({ script: '1', context: 'filter' }), /\[context\] \[filter\] is not supported/);
  assert.match(await execute({ script: '1', foo: 1 }), /unknown field \[foo\]$/);
});

test('a template makes the body of a search', async () => {
  for (const id of ['1', '2', '3']) await ask(`PUT /t/_doc/${id}`, { n: Number(id), t: `a c${id}` });
  await ask('POST /t/_refresh');
  await ask('PUT /_scripts/find', {
    script: { lang: 'mustache', source: { query: { match: { t: '{{q}}' } }, size: '{{n}}' } },
  });
  const ids = (body: { hits: { hits: { _id: string }[] } }): string[] => body.hits.hits.map((hit) => hit._id);
  const inline = await ask('POST /t/_search/template', {
    source: '{"query":{"match":{"t":"{{q}}"}},"size":{{n}},"sort":{"n":"desc"}}',
    params: { q: 'a', n: 2 },
  });
  assert.deepEqual(
    [ids(inline.body), inline.body.status, inline.body.hits.total.value],
    [['3', '2'], 200, 3],
  );
  const stored = await ask('GET /_search/template', { id: 'find', params: { q: 'c1', n: 2 } });
  assert.deepEqual(ids(stored.body), ['1']);
  const profiled = await ask('POST /t/_search/template', { source: '{"size":1}', profile: true });
  assert.equal(profiled.body.profile.shards.length, 1);
  const scroll = await ask('POST /t/_search/template?scroll=1m', { source: '{"size":1}' });
  assert.equal(typeof scroll.body._scroll_id, 'string');
});

test('mistakes of templates are told', async () => {
  const cases: [unknown, RegExp][] = [
    [{ id: 'zz' }, /^404 resource_not_found_exception: unable to find script \[zz\] in cluster state$/],
    [{ params: {} }, /Validation Failed: 1: template is missing;2: template's script type is missing;$/],
    [{ source: '' }, /Validation Failed: 1: template is missing;$/],
    [undefined, /^400 parse_exception: request body or source parameter is required$/],
    [
      { source: '{{#x}}' },
      /^400 script_exception: Failed to close 'x' tag @\[query-template:1\] < mustache_exception/,
    ],
    [{ source: '{"quer":{}}' }, /^400 parsing_exception: Unknown key for a START_OBJECT in \[quer\]\./],
    [{ source: '{"size":' }, /^400 json_e_o_f_exception/],
    [{ source: '{}', lang: 'mustache' }, /\[search_template\] unknown field \[lang\]$/],
    [{ source: 5 }, /\[search_template\] source doesn't support values of type: VALUE_NUMBER$/],
    [{ source: '{}', id: 'find' }, /either a \[source\] or an \[id\], not both$/],
    [{ id: 'add' }, /stored script \[add\] is no search template: its language is \[painless\]$/],
  ];
  for (const [body, expected] of cases)
    assert.match(await refused('POST /t/_search/template', body), expected, JSON.stringify(body));
  assert.match(
    await refused('POST /t/_search/template?size=1', { source: '{}' }),
    /unrecognized parameter: \[size\]/,
  );
});

test('each search of _msearch/template has its own answer', async () => {
  const lines = [
    {},
    { source: '{"size":{{n}}}', params: { n: 1 } },
    { index: 'none' },
    { id: 'find', params: { q: 'c1', n: 2 } },
    {},
    { id: 'zz' },
    {},
    { source: '{"quer":1}' },
    {},
    { id: 'find', params: { q: 'c1', n: 2 } },
  ];
  const text = (all: unknown[]): string => `${all.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const { body } = await ask('POST /t/_msearch/template', text(lines));
  const found = body.responses.map(
    (each: { status: number; error?: { type: string }; hits?: { hits: unknown[] } }) =>
      each.error === undefined ? each.hits!.hits.length : `${each.status} ${each.error.type}`,
  );
  assert.deepEqual(found, [
    1,
    '404 index_not_found_exception',
    '404 resource_not_found_exception',
    '400 parsing_exception',
    1,
  ]);
  assert.match(await refused('POST /t/_msearch/template', text([{}, {}])), /Malformed search template$/);
  assert.match(await refused('POST /t/_msearch/template', text([{}, { foo: 1 }])), /unknown field \[foo\]$/);
});

test('a template is shown as it is rendered', async () => {
  const inline = await ask('POST /_render/template', {
    source: '{"a":{{#toJson}}l{{/toJson}},"b":"{{#join}}l{{/join}}","c":{{x}}{{^x}}1.0{{/x}}}',
    params: { l: [1, 'b'] },
  });
  assert.equal(inline.text, '{"template_output":{"a":[1,"b"],"b":"1,b","c":1.0}}');
  const stored = await ask('GET /_render/template/find', { params: { q: 'x', n: 1 } });
  assert.deepEqual(stored.body, { template_output: { query: { match: { t: 'x' } }, size: '1' } });
  assert.equal((await ask('POST /_render/template', { id: 'find', params: { q: 'x', n: 1 } })).status, 200);
  assert.match(await refused('POST /_render/template', { source: 'not json' }), /^400 json_parse_exception/);
});
