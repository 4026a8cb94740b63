// Routes are read from Prometheus text and ordered by their slow requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeTimes } from './slow-routes.ts';

const NAME = 'octavo_http_request_duration_seconds';
const TEXT = `# TYPE ${NAME} histogram
${NAME}_bucket{le="0.001",surface="wire",route="/a \\"b\\""} 99
${NAME}_bucket{le="+Inf",surface="wire",route="/a \\"b\\""} 100
${NAME}_sum{surface="wire",route="/a \\"b\\""} 0.2
${NAME}_count{surface="wire",route="/a \\"b\\""} 100
${NAME}_bucket{le="0.5",surface="api",route="/b"} 1
${NAME}_bucket{le="+Inf",surface="api",route="/b"} 1
${NAME}_sum{surface="api",route="/b"} 0.4
${NAME}_count{surface="api",route="/b"} 1
${NAME}_bucket{le="0.5",surface="wire",route="/c"} 0
${NAME}_bucket{le="+Inf",surface="wire",route="/c"} 3
${NAME}_sum{surface="wire",route="/c"} 30
${NAME}_count{surface="wire",route="/c"} 3
octavo_commit 12
`;

test('the route with the slowest requests comes first', () => {
  assert.deepEqual(routeTimes(TEXT), [
    { route: '/c', count: 3, meanMs: 10_000, p99Ms: Number.POSITIVE_INFINITY },
    { route: '/b', count: 1, meanMs: 400, p99Ms: 500 },
    { route: '/a \\"b\\"', count: 100, meanMs: 2, p99Ms: 1 },
  ]);
});
