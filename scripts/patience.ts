// What becomes of a file of tests that never ends? After half an hour it is ended, and tells what kept it alive: a run
// fails then, in place of lasting for ever. A runner only waits for its files, so it is left alone.

/** Of a file alone; the slowest takes a few minutes where cores are few. */
const MOST_MINUTES = Number(process.env.OCTAVO_TEST_MINUTES ?? 30);

if (process.env.NODE_TEST_CONTEXT !== undefined)
  setTimeout(() => {
    const kept = process.getActiveResourcesInfo().join(', ');
    console.error(`not ended after ${MOST_MINUTES} minutes; still open: ${kept}`);
    process.exit(1);
  }, MOST_MINUTES * 60_000).unref();
