// Ranges, histograms, filters, rare and combined terms have the buckets that counting plain values gives.

import { test } from 'node:test';
import { checkTwin, isMapped, numbersOf, type TwinDoc } from '../../../test/aggregation-world.ts';

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sumOfF = (docs: readonly TwinDoc[]): number =>
  docs.flatMap((doc) => numbersOf(doc, 'f')).reduce((a, b) => a + b, 0);
const SUM = { s: { sum: { field: 'f' } } };

test('histograms show all intervals between the first and the last', async () => {
  await checkTwin({ histogram: { field: 'n', interval: 5, offset: 1 }, aggs: SUM }, (docs) => {
    const key = (n: number): number => Math.floor((n - 1) / 5) * 5 + 1;
    const keys = docs.flatMap((doc) => numbersOf(doc, 'n').map(key));
    const buckets: object[] = [];
    for (let at = Math.min(...keys); at <= Math.max(...keys); at += 5) {
      const own = docs.filter((doc) => numbersOf(doc, 'n').some((n) => key(n) === at));
      buckets.push({ key: at, doc_count: own.length, s: { value: sumOfF(own) } });
    }
    return { buckets };
  });
});

test('histograms by count, without empty intervals', async () => {
  await checkTwin(
    { histogram: { field: 'f', interval: 0.5, min_doc_count: 1, order: { _count: 'desc' } } },
    (docs) => {
      const counts = new Map<number, number>();
      for (const doc of docs)
        for (const key of new Set(numbersOf(doc, 'f').map((f) => Math.floor(f / 0.5) * 0.5)))
          counts.set(key, (counts.get(key) ?? 0) + 1);
      const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      return { buckets: sorted.map(([key, doc_count]) => ({ key, doc_count })) };
    },
  );
});

test('histograms by a metric of their buckets', async () => {
  const order = { s: 'desc' };
  await checkTwin({ histogram: { field: 'n', interval: 5, min_doc_count: 1, order }, aggs: SUM }, (docs) => {
    const key = (n: number): number => Math.floor(n / 5) * 5;
    const keys = [...new Set(docs.flatMap((doc) => numbersOf(doc, 'n').map(key)))].sort((a, b) => a - b);
    const buckets = keys.map((at) => {
      const own = docs.filter((doc) => numbersOf(doc, 'n').some((n) => key(n) === at));
      return { key: at, doc_count: own.length, s: { value: sumOfF(own) } };
    });
    return { buckets: buckets.sort((a, b) => b.s.value - a.s.value) };
  });
});

test('months in a zone', async () => {
  const zone = 'America/New_York';
  const month = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit' });
  await checkTwin(
    {
      date_histogram: {
        field: 'd',
        calendar_interval: 'month',
        time_zone: zone,
        min_doc_count: 1,
        format: 'yyyy-MM',
      },
    },
    (docs) => {
      const counts = new Map<string, number>();
      for (const doc of docs)
        for (const key of new Set(numbersOf(doc, 'd').map((d) => month.format(d))))
          counts.set(key, (counts.get(key) ?? 0) + 1);
      const sorted = [...counts].sort((a, b) => bytewise(a[0], b[0]));
      const buckets = sorted.map(([key_as_string, doc_count]) => ({ key_as_string, doc_count }));
      return { buckets };
    },
    { without: ['key'] },
  );
});

test('ranges may overlap, and count a document once', async () => {
  const ranges = [{ to: 2 }, { from: 0, to: 8 }, { from: 8, key: 'rest' }];
  await checkTwin({ range: { field: 'n', ranges }, aggs: SUM }, (docs) => {
    const within = (from: number, to: number): TwinDoc[] =>
      docs.filter((doc) => numbersOf(doc, 'n').some((n) => n >= from && n < to));
    const bucket = (key: string, bounds: object, own: TwinDoc[]): object => ({
      key,
      ...bounds,
      doc_count: own.length,
      s: { value: sumOfF(own) },
    });
    return {
      buckets: [
        bucket('*-2.0', { to: 2 }, within(Number.NEGATIVE_INFINITY, 2)),
        bucket('0.0-8.0', { from: 0, to: 8 }, within(0, 8)),
        bucket('rest', { from: 8 }, within(8, Number.POSITIVE_INFINITY)),
      ],
    };
  });
});

test('ranges of addresses', async () => {
  const ranges = [{ mask: '10.0.0.0/31' }, { from: '10.0.0.2' }];
  await checkTwin({ ip_range: { field: 'ip', ranges, keyed: true } }, (docs) => {
    const count = (...ips: string[]): number => docs.filter((doc) => ips.includes(doc.ip ?? '')).length;
    return {
      buckets: {
        '10.0.0.0/31': { from: '10.0.0.0', to: '10.0.0.2', doc_count: count('10.0.0.1') },
        '10.0.0.2-*': { from: '10.0.0.2', doc_count: count('10.0.0.2', '192.168.1.1') },
      },
    };
  });
});

test('missing, global and filters', async () => {
  await checkTwin({ missing: { field: 'k' }, aggs: SUM }, (docs) => {
    const own = docs.filter((doc) => doc.k === undefined);
    return { doc_count: own.length, s: { value: sumOfF(own) } };
  });
  await checkTwin(
    { global: {}, aggs: SUM },
    (docs) => ({ doc_count: docs.length, s: { value: sumOfF(docs) } }),
    { request: { query: { term: { b: true } } } },
  );
  await checkTwin({ filters: { filters: { t: { term: { b: true } } }, other_bucket_key: 'o' } }, (docs) => {
    const own = docs.filter((doc) => doc.b === true).length;
    return { buckets: { t: { doc_count: own }, o: { doc_count: docs.length - own } } };
  });
});

test('pairs of filters', async () => {
  const filters = { a: { term: { b: true } }, z: { exists: { field: 'n' } } };
  await checkTwin({ adjacency_matrix: { filters } }, (docs, indices) => {
    const isA = (doc: TwinDoc): boolean => doc.b === true;
    const isZ = (doc: TwinDoc): boolean => isMapped(indices, 'n') && doc.n !== undefined;
    const counts: [string, number][] = [
      ['a', docs.filter(isA).length],
      ['a&z', docs.filter((doc) => isA(doc) && isZ(doc)).length],
      ['z', docs.filter(isZ).length],
    ];
    const shown = counts.filter(([, count]) => count > 0);
    return { buckets: shown.map(([key, doc_count]) => ({ key, doc_count })) };
  });
});

test('pairs of many filters below other buckets, with and without metrics', async () => {
  const limits = Array.from({ length: 8 }, (_, i) => i - 2);
  const names = limits.map((_, i) => `f${i}`);
  const filters = Object.fromEntries(limits.map((gte, i) => [names[i], { range: { n: { gte } } }]));
  const ranges = [{ to: 3 }, { from: 0, to: 8 }];
  for (const [pairsOnly, aggs] of [
    [false, SUM],
    [true, undefined],
  ] as const) {
    const matrix = {
      adjacency_matrix: { filters, show_only_intersecting: pairsOnly },
      ...(aggs && { aggs }),
    };
    await checkTwin({ range: { field: 'f', ranges }, aggs: { m: matrix } }, (docs, indices) => {
      const matrixOf = (own: TwinDoc[]): object => {
        const matches = (doc: TwinDoc, i: number): boolean =>
          isMapped(indices, 'n') && numbersOf(doc, 'n').some((n) => n >= limits[i]!);
        const pairs = limits.flatMap((_, i) => limits.map((_, j) => [i, j] as const));
        const buckets = pairs
          .filter(([i, j]) => (pairsOnly ? i < j : i <= j))
          .map(([i, j]) => ({
            key: i === j ? names[i]! : `${names[i]}&${names[j]}`,
            docs: own.filter((doc) => matches(doc, i) && matches(doc, j)),
          }))
          .filter(({ docs }) => docs.length > 0)
          .map(({ key, docs }) => ({
            ...{ key, doc_count: docs.length },
            ...(aggs !== undefined && { s: { value: sumOfF(docs) } }),
          }));
        return { buckets };
      };
      const within = (from: number, to: number): TwinDoc[] =>
        docs.filter((doc) => numbersOf(doc, 'f').some((f) => f >= from && f < to));
      const [low, middle] = [within(Number.NEGATIVE_INFINITY, 3), within(0, 8)];
      return {
        buckets: [
          { ...{ key: '*-3.0', to: 3, doc_count: low.length }, m: matrixOf(low) },
          { ...{ key: '0.0-8.0', from: 0, to: 8, doc_count: middle.length }, m: matrixOf(middle) },
        ],
      };
    });
  }
});

test('rare terms, rarest first', async () => {
  await checkTwin({ rare_terms: { field: 'k', max_doc_count: 3 } }, (docs) => {
    const counts = new Map<string, number>();
    for (const doc of docs) for (const k of new Set(doc.k)) counts.set(k, (counts.get(k) ?? 0) + 1);
    const rare = [...counts].filter(([, count]) => count <= 3);
    rare.sort((a, b) => a[1] - b[1] || bytewise(a[0], b[0]));
    return { buckets: rare.map(([key, doc_count]) => ({ key, doc_count })) };
  });
});

test('combinations of the values of two fields', async () => {
  await checkTwin(
    { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], size: 500 }, aggs: SUM },
    (docs) => {
      const found = new Map<string, { key: [string, number]; docs: TwinDoc[] }>();
      for (const doc of docs)
        for (const k of new Set(doc.k))
          for (const n of new Set(numbersOf(doc, 'n'))) {
            const name = `${k}|${n}`;
            if (!found.has(name)) found.set(name, { key: [k, n], docs: [] });
            found.get(name)!.docs.push(doc);
          }
      const sorted = [...found].sort(
        ([, a], [, b]) =>
          b.docs.length - a.docs.length || bytewise(a.key[0], b.key[0]) || a.key[1] - b.key[1],
      );
      return {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: sorted.map(([name, { key, docs }]) => ({
          key,
          key_as_string: name,
          doc_count: docs.length,
          s: { value: sumOfF(docs) },
        })),
      };
    },
  );
});
