// The schema of events in the OpenAPI document: one named schema per type, and each event that a server sends is valid by the
// schema of its type.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { emitDocumentEvents, expireHolds, openRecords } from '@octavo/records';
import Schema from 'typebox/schema';
import { ANONYMOUS } from '../src/access/callers/principal.ts';
import { EVENT_TYPES } from '../src/events/event-filter.ts';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';
import { sendAll } from './examples/scenario.ts';

interface EventUnion {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: { readonly propertyName: string; readonly mapping: Record<string, string> };
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

interface Components {
  readonly schemas: Readonly<Record<string, ObjectSchema>> & { readonly Event: EventUnion };
}

const records = await openRecords(':memory:');
// Created keys must not lock out later requests.
const everybody = { authenticate: () => ANONYMOUS, keyless: () => true };
const { ask } = await server({ records, webhookAllowPrivate: true, ...everybody });
after(() => records.close());

const components: Components = (await ask('GET /api/openapi.json')).body.components;
const { oneOf, discriminator } = components.schemas.Event;
const PREFIX = '#/components/schemas/';

test('the union has one named schema per type, which its discriminator selects', () => {
  assert.equal(discriminator.propertyName, 'type');
  assert.deepEqual(
    Object.keys(discriminator.mapping).sort(),
    EVENT_TYPES.map((type) => `octavo.${type}`).sort(),
  );
  assert.deepEqual(
    oneOf.map(({ $ref }) => $ref),
    Object.values(discriminator.mapping),
  );
  for (const [type, reference] of Object.entries(discriminator.mapping)) {
    const { required, properties } = components.schemas[reference.slice(PREFIX.length)]!;
    assert.deepEqual(properties['type']?.enum, [type]);
    assert.ok(required.includes('type') && required.includes('data'), reference);
  }
  assert.equal(discriminator.mapping['octavo.item.created'], `${PREFIX}ItemCreatedEvent`);
});

test('an event of each type is valid by its schema, and by no other', async () => {
  await sendAll((_operation, line, body) =>
    ask(line, body, typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {}),
  );
  await ask('PUT /api/users/u-2', { username: 'cyn' });
  await ask('PUT /api/users/u-2', { username: 'cynthia' });
  await ask('PATCH /api/accounts/ada', { allow_negative: true });
  const expires_at = new Date(Date.now() + 50).toISOString();
  await ask('POST /api/holds', { from: 'ada', to: 'bank', money: '1.00', expires_at });
  const changes = [
    { kind: 'index', index: 'far', id: '1', seqNo: 4, version: 2 },
    { kind: 'delete', index: 'far', id: '2', seqNo: undefined, version: undefined },
  ] as const;
  const queries = [{ index: 'far', by: 'reindex' }] as const;
  await records.write(emitDocumentEvents, { changes, queries });
  await eventually(async () => {
    await records.write(expireHolds, undefined);
    const expired = await ask('GET /api/events?after=0&types=hold.expired');
    assert.equal(expired.body.items.length, 1);
  });

  const events: { type: string }[] = (await ask('GET /api/events?after=0&limit=1000')).body.items;
  assert.deepEqual(
    [...new Set(events.map(({ type }) => type))].sort(),
    Object.keys(discriminator.mapping).sort(),
  );
  for (const event of events) {
    const valid = oneOf.filter((schema) => Schema.Check({ ...schema, components }, event));
    assert.deepEqual(valid, [{ $ref: discriminator.mapping[event.type] }], JSON.stringify(event));
  }
});

test('the schemas name every member that events have', async () => {
  const { items } = (await ask('GET /api/events?after=0&limit=1000')).body;
  for (const event of items) {
    const { properties } = components.schemas[discriminator.mapping[event.type]!.slice(PREFIX.length)]!;
    assert.deepEqual(
      Object.keys(event).filter((name) => !(name in properties)),
      [],
    );
    const { $ref } = properties['data'] as { readonly $ref: string };
    const data = components.schemas[$ref.slice(PREFIX.length)]!;
    assert.deepEqual(
      Object.keys(event.data).filter((name) => !(name in data.properties)),
      [],
      JSON.stringify(event),
    );
  }
});
