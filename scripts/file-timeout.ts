// Ends a test file after half an hour and prints what kept it alive, so that a hanging file fails the run.
// The test runner itself is not affected.

/** The limit of one file. The slowest takes a few minutes on a machine with few cores. */
const MAX_MINUTES = Number(process.env.OCTAVO_TEST_MINUTES ?? 30);

if (process.env.NODE_TEST_CONTEXT !== undefined)
  setTimeout(() => {
    const resources = process.getActiveResourcesInfo().join(', ');
    console.error(`not ended after ${MAX_MINUTES} minutes; still open: ${resources}`);
    process.exit(1);
  }, MAX_MINUTES * 60_000).unref();
