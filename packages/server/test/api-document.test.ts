// The OpenAPI document is true: every reference resolves, every operation has its own name and its errors,
// every route is in it. Its page, in a real browser, sends requests to this server only.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { TAGS } from '../src/api/openapi/about.ts';
import { formOf } from '../src/errors/validation-problem.ts';
import { listen } from '../src/serve.ts';
import { ROUTES } from '../src/wire/routes.ts';
import { server } from './ask.ts';
import { fakeRecords } from './fake-records.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body & { readonly description?: string }>>;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly securitySchemes: object };
  readonly tags: readonly { readonly name: string }[];
}

const { ask, app } = await server({ records: fakeRecords() });
const document: Document = (await ask('GET /api/openapi.json')).body;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

test('the document says what it is', () => {
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '1');
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['ApiKey', 'Bearer']);
  assert.ok(operations.length >= 8);
});

test('every reference resolves', () => {
  const resolve = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') {
        assert.ok(member.startsWith('#/') && resolve(member) !== undefined, `${path}: ${member}`);
      }
      visit(member, `${path}/${key}`);
    }
  };
  visit(document, '');
});

test('every JSON body is a named schema', () => {
  const inline: string[] = [];
  for (const { path, method, operation } of operations) {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const [type, { schema }] of bodies.flatMap((body) => Object.entries(body?.content ?? {}))) {
      if (/[/+]json$/.test(type) && !('$ref' in schema)) inline.push(`${method} ${path}`);
    }
  }
  assert.deepEqual(inline, []);
});

test('every operation has its own name, a group, a summary, its path parameters, and its refusals', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual(
    names.filter((name, i) => name === undefined || names.indexOf(name) !== i),
    [],
  );
  const groups = TAGS.map(({ name }) => name);
  for (const { path, method, operation } of operations) {
    const where = `${method} ${path}`;
    assert.ok(operation.tags?.length === 1 && groups.includes(operation.tags[0]!), `${where}: tags`);
    assert.ok(operation.summary !== undefined && operation.summary !== '', `${where}: summary`);
    assert.ok(!path.endsWith('/'), `${where}: slash`);
    const inPath = (path.match(/\{[^}]+\}/g) ?? []).map((part) => part.slice(1, -1)).sort();
    const named = (operation.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => name);
    assert.deepEqual(named.sort(), inPath, `${where}: path parameters`);
    assert.ok(
      Object.keys(operation.responses).some((status) => /^[123]/.test(status)),
      `${where}: no success`,
    );
    const errors = path.startsWith('/api') ? 'application/problem+json' : 'application/json';
    for (const status of ['4XX', '5XX']) {
      assert.ok(errors in (operation.responses[status]?.content ?? {}), `${where}: ${status}`);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      assert.notEqual(response.description, 'Default Response', `${where}: ${status} is not described`);
    }
  }
});

test('every pattern of a request is described in words', () => {
  const undescribed: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'pattern' && typeof member === 'string' && formOf(member) === undefined)
        undescribed.push(`${path}: ${member}`);
      visit(member, `${path}.${name}`);
    }
  };
  for (const { path, method, operation } of operations)
    visit({ parameters: operation.parameters }, `${method} ${path}`);
  // Schemas of requests only: those of replies have patterns that no request is checked by.
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (/Input$|Change$|^Entity$|Posting$|Grant$|Mark$/.test(name)) visit(schema, name);
  }
  assert.deepEqual(undescribed, []);
});

test('every list has an ETag', () => {
  const schemas = document.components.schemas as Readonly<
    Record<string, { readonly properties?: Readonly<Record<string, object>> } | undefined>
  >;
  const lists = operations.filter(({ method, operation }) => {
    const schema = operation.responses['200']?.content?.['application/json']?.schema as { $ref?: string };
    const { items, more } = schemas[schema?.$ref?.split('/').at(-1) ?? '']?.properties ?? {};
    return method === 'get' && items !== undefined && more !== undefined;
  });
  assert.ok(lists.length >= 10, `${lists.length} lists`);
  assert.deepEqual(
    lists.filter(({ operation }) => operation.responses['304'] === undefined).map(({ path }) => path),
    [],
  );
});

test('replies have no patterns, which some generated clients would check', () => {
  const item = (document.components.schemas as { readonly Item: object }).Item;
  assert.doesNotMatch(JSON.stringify(item), /"pattern":/);
  const input = (document.components.schemas as { readonly EntryInput: object }).EntryInput;
  assert.match(JSON.stringify(input), /"pattern":/);
});

test('every route is in the document', async () => {
  for (const { path, method } of operations) {
    if (!path.startsWith('/api')) continue;
    const real = path.replaceAll(/\{[^}]+\}/g, 'x');
    const allow = String((await ask(`OPTIONS ${real}`)).headers['allow']);
    assert.ok(allow.includes(method.toUpperCase()), `${method} ${path}: ${allow}`);
  }
  const listed = new Set(operations.map(({ path }) => path.replaceAll(/\{([^}]+)\}/g, ':$1')));
  const hidden = ['/api/docs/scalar.js'];
  assert.deepEqual(
    app.apiPaths().filter((path) => !listed.has(path) && !hidden.includes(path)),
    [],
  );
});

test('the operations of the search wire have its routes and parameters', () => {
  for (const { path, method, operation } of operations) {
    if (path.startsWith('/api')) continue;
    const route = ROUTES.find(
      (each) => each.path === path && (each.methods as readonly string[]).includes(method.toUpperCase()),
    );
    assert.ok(route !== undefined, `${method} ${path}`);
    const named = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
    assert.deepEqual(
      named.filter((name) => !route.params.includes(name)),
      [],
      `${method} ${path}`,
    );
  }
});

const CHROMIUM = '/usr/bin/chromium';
const browser = existsSync(CHROMIUM) ? {} : { skip: `there is no ${CHROMIUM}` };

test('the page shows the operations and asks nobody but this server', browser, async () => {
  const address = await listen(app, { port: 0 });
  const chrome = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: 600_000,
  });
  try {
    const page = await chrome.newPage();
    // Of all that is waited for here: only what never comes takes so long.
    page.setDefaultTimeout(600_000);
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !/^(?:data|blob):/.test(url)) foreign.push(url);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${address}/api/docs/`);
    await page.getByRole('heading', { name: 'Octavo application API' }).waitFor();
    await page.getByText('Post an item').first().waitFor();
    // What it loads late, it asks for after it has shown something.
    await page.waitForTimeout(1_000);
    assert.deepEqual(foreign, []);
    assert.deepEqual(complaints, []);
  } finally {
    await chrome.close();
  }
});
