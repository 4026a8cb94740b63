// The files for Prometheus and Grafana in deploy/ name only metrics and labels that exist, every metric is printed by a server that
// should have it, and the guide explains every alert.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, listen } from '@octavo/server';
import { parse } from 'yaml';
import { type MetricInfo, SERVER_METRICS } from '../../packages/server/src/observe/metric-names.ts';
import { ROOT } from '../tidy.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const NAMES = new Set(Object.keys(SERVER_METRICS));
/** Labels that Prometheus adds. */
const ADDED = new Set(['job', 'instance', 'le']);

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

function assertKnown(expression: string): void {
  for (const [name] of expression.matchAll(/\b(?:octavo|process|nodejs)_\w+/g)) {
    const base = NAMES.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(NAMES.has(base), `${expression}: there is no metric ${name}`);
    const known = new Set([
      ...((SERVER_METRICS as Record<string, MetricInfo>)[base]?.labels ?? []),
      ...ADDED,
    ]);
    const selector = new RegExp(`${name}\\{([^}]*)\\}`).exec(expression)?.[1] ?? '';
    for (const [, label] of selector.matchAll(/(\w+)\s*[=!]/g))
      assert.ok(known.has(label!), `${expression}: ${name} has no label ${label}`);
  }
}

test('the dashboard and the alerts name metrics that exist', () => {
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const alerts = parse(read('deploy/alerts.yml')) as Alerts;
  const rules = alerts.groups.flatMap((group) => group.rules);
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 12 && rules.length > 8);
  for (const expression of [...expressions, ...rules.map(({ expr }) => expr)]) assertKnown(expression);
  const used = expressions.join(' ');
  for (const name of NAMES) assert.ok(used.includes(name), `no panel shows ${name}`);
});

test('the guide explains every alert, and Prometheus asks for the metrics', () => {
  const guide = read('docs/guides/monitoring.md');
  for (const { rules } of (parse(read('deploy/alerts.yml')) as Alerts).groups)
    for (const { alert } of rules) assert.ok(guide.includes(`| \`${alert}\` |`), alert);
  const { scrape_configs } = parse(read('deploy/prometheus.yml')) as {
    scrape_configs: { metrics_path: string }[];
  };
  assert.equal(scrape_configs[0]?.metrics_path, '/api/metrics');
});

test('a server prints the metrics of the table, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-metrics-'));
  const engine = await open(folder);
  const records = await openRecords(folder);
  const app = await createServer(engine, { records });
  try {
    const text = await (await fetch(`${await listen(app, { port: 0 })}/api/metrics`)).text();
    const printed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const expected = Object.entries<MetricInfo>(SERVER_METRICS)
      .filter(([, { only }]) => only !== 'documents in a cluster')
      .map(([name, { type }]) => `${name} ${type}`);
    assert.deepEqual(printed.sort(), expected.sort());
  } finally {
    await app.close();
    await records.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
