// Runs a suite test by test on one server. Each test starts on an empty server and ends at its first failing
// step.

import { cleanServer, type UsedApis, usedApis } from './clean.ts';
import { ServerGone, Skipped } from './failed.ts';
import { runStep, Stash, type StepContext } from './steps.ts';
import { judgeSkip, type TestFile } from './suite.ts';
import type { Value } from './values.ts';

export interface Outcome {
  readonly file: string;
  readonly test: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
}

/** After this many unanswered tests in a row the server counts as dead, and the rest fails immediately. */
const SILENT = 10;

/** Runs the tests whose `file :: name` matches the filter. */
export async function* runSuite(
  files: readonly TestFile[],
  bench: StepContext,
  version: string,
  takes: (name: string) => boolean,
): AsyncGenerator<Outcome> {
  let used: UsedApis;
  let silent = 0;
  for (const file of files) {
    for (const test of file.tests) {
      if (!takes(`${file.path} :: ${test.name}`)) continue;
      let outcome: Outcome['outcome'] = 'passed';
      let detail = '';
      try {
        if (file.broken !== undefined) throw new Error(`the file cannot be read: ${file.broken}`);
        judgeSkip(file.setup, version);
        judgeSkip(test.steps, version);
        if (silent >= SILENT) throw new ServerGone('the server has not answered for a while');
        await cleanServer(bench.client, used);
        used = usedApis(file.setup, test.steps, file.teardown);
        await runTest(file, test.steps, bench);
        silent = 0;
      } catch (error) {
        outcome = error instanceof Skipped ? 'skipped' : 'failed';
        detail = (error as Error).message.replace(/\s+/g, ' ');
        if (error instanceof ServerGone) {
          silent++;
          used = undefined;
        } else if (outcome === 'failed') silent = 0;
      }
      yield { file: file.path, test: test.name, outcome, detail };
    }
  }
  if (silent < SILENT) await cleanServer(bench.client, used).catch(() => {});
}

async function runTest(file: TestFile, steps: readonly Value[], bench: StepContext): Promise<void> {
  let problem: unknown;
  try {
    await runSteps('setup', file.setup, bench);
    await runSteps('step', steps, bench);
  } catch (error) {
    problem = error;
  }
  if (!(problem instanceof ServerGone)) {
    await runSteps('teardown', file.teardown, bench).catch((error: unknown) => {
      problem ??= error;
    });
  }
  if (problem !== undefined) throw problem;
}

async function runSteps(label: string, steps: readonly Value[], bench: StepContext): Promise<void> {
  const stash = new Stash();
  for (const [at, step] of steps.entries()) {
    try {
      await runStep(step, stash, bench);
    } catch (error) {
      if (error instanceof Error && !(error instanceof Skipped))
        error.message = `${label} ${at + 1}: ${error.message}`;
      throw error;
    }
  }
}
