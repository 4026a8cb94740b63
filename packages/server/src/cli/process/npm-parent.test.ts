import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNpmLinks, type ProcessInfo } from './npm-parent.ts';

const NODE = '/usr/bin/node';
const INIT: ProcessInfo = at(1, 0, ['init'], {}, { group: 1, session: 1, program: '/sbin/init' });
const ORPHAN = [{ pid: 9, parent: 0 }];

function at(
  pid: number,
  parent: number,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Partial<ProcessInfo> = {},
): ProcessInfo {
  return {
    pid,
    parent,
    group: 5,
    session: 5,
    args,
    env,
    program: args[0] === 'sh' ? '/bin/sh' : NODE,
    ...more,
  };
}

/** The environment that npm gives a script. */
function script(command: string, event = 'start'): Record<string, string> {
  return {
    npm_package_json: '/app/package.json',
    npm_lifecycle_event: event,
    npm_lifecycle_script: command,
    npm_node_execpath: NODE,
    npm_execpath: '/usr/lib/node_modules/npm/bin/npm-cli.js',
  };
}

/** The links from process 9, as `9-8`. */
function links(...processes: readonly ProcessInfo[]): string[] {
  const all = new Map([INIT, ...processes].map((one) => [one.pid, one]));
  return findNpmLinks(9, (pid) => all.get(pid)).map(({ pid, parent }) => `${pid}-${parent}`);
}

const npm = at(7, 6, ['npm start']);
const serve = 'octavo serve';
/** npm, its shell and the server. */
const plain = (command: string, ran: string = command): ProcessInfo[] => [
  npm,
  at(8, 7, ['sh', '-c', ran], script(command)),
  at(9, 8, ['node', 'octavo', 'serve'], script(command)),
];

test('a server that npm waits for is linked to it', () => {
  assert.deepEqual(links(...plain(serve)), ['9-8', '8-7'], 'a shell between them');
  assert.deepEqual(links(...plain("'octavo'", "'octavo' serve --port 1")), ['9-8', '8-7'], 'npx');
  assert.deepEqual(links(...plain('NODE_ENV=x octavo serve 2>&1 && echo done')), ['9-8', '8-7']);
  assert.deepEqual(links(...plain('octavo', "octavo serve --records 'postgres://a/b?c&d'")), ['9-8', '8-7']);
  assert.deepEqual(
    links(npm, at(9, 7, ['node', 'octavo'], script(serve))),
    ['9-7'],
    'the shell became the server',
  );
});

test('an older Node between them is one more link', () => {
  const older = at(9, 10, ['node', 'octavo'], { ...script(serve), OCTAVO_REEXEC: '1' });
  const [, shell] = plain(serve);
  assert.deepEqual(links(npm, shell!, at(10, 8, ['node', 'octavo'], script(serve)), older), [
    '9-10',
    '10-8',
    '8-7',
  ]);
});

test('an npm that another npm waits for is linked to that one', () => {
  const outer = script('npx octavo serve', 'dev');
  const inner = [at(5, 4, ['npm run dev']), at(6, 5, ['sh', '-c', 'npx octavo serve'], outer)];
  const own = [at(7, 6, ['npm exec octavo'], outer), ...plain("'octavo'").slice(1)];
  assert.deepEqual(links(...inner, ...own), ['9-8', '8-7', '7-6', '6-5']);
  const tests = [at(5, 4, ['npm test']), at(6, 5, ['node', '--test'], outer)];
  assert.deepEqual(links(...tests, ...own), ['9-8', '8-7'], 'a program that manages npm itself');
});

test('a server that nobody waits for has no links', () => {
  assert.deepEqual(links(at(8, 1, ['bash']), at(9, 8, ['node', 'octavo'])), [], 'no npm');
  assert.deepEqual(links(at(9, 1, ['node', 'octavo'])), [], 'a unit, or nohup');
  assert.deepEqual(links(at(9, 0, ['node', 'octavo'], {}, { group: 1 })), [], 'a container');
  for (const command of ['octavo serve & vite', 'nohup octavo serve > log 2>&1 &', "'octavo' serve &"])
    assert.deepEqual(links(...plain(command)), [], command);
  const [, shell, server] = plain('setsid octavo serve');
  assert.deepEqual(links(npm, shell!, { ...server!, group: 9, session: 9 }), [], 'a session of its own');
  const deploy = at(8, 7, ['node', 'deploy.js'], script('node deploy.js'));
  assert.deepEqual(
    links(npm, deploy, at(9, 8, ['node', 'octavo'], deploy.env)),
    [],
    'a program of the script',
  );
  const file = at(8, 7, ['sh', './run.sh'], script('sh ./run.sh'));
  assert.deepEqual(links(npm, file, at(9, 8, ['node', 'octavo'], file.env)), [], 'a file for a shell');
});

test('a server whose npm was gone before it looked is an orphan', () => {
  for (const command of [
    serve,
    "'octavo'",
    'exec node packages/server/bin/octavo.js serve',
    'node_modules/.bin/octavo',
  ])
    assert.deepEqual(links(at(9, 1, ['node', 'octavo'], script(command))), ['9-0'], command);
  const [, shell, server] = plain(serve);
  assert.deepEqual(links({ ...shell!, parent: 1 }, server!), ['8-0'], 'npm alone is gone');
  const reaper = at(2, 1, ['systemd', '--user'], {}, { program: '/usr/lib/systemd/systemd' });
  assert.deepEqual(links(reaper, { ...server!, parent: 2 }), ['9-0']);
  const unreadable = findNpmLinks(9, (pid) => (pid === 9 ? { ...server!, parent: 1 } : undefined));
  assert.deepEqual(unreadable, ORPHAN);
});

test('a server that its script has put in the background, or that another runner began, is none', () => {
  const alone = (env: Record<string, string>, more: Partial<ProcessInfo> = {}): string[] =>
    links(at(9, 1, ['node', 'octavo'], env, more));
  for (const command of [
    'octavo serve &',
    'nohup octavo serve &',
    'sh run.sh',
    'start-octavo',
    'octavo serve; vite',
  ])
    assert.deepEqual(alone(script(command)), [], command);
  assert.deepEqual(alone({ ...script(serve), npm_execpath: '/usr/bin/bun' }), []);
  const container = at(1, 0, ['npm start'], {}, { group: 1, session: 5 });
  const inside = { ...at(9, 1, ['node', 'octavo'], script(serve)), group: 1 };
  assert.deepEqual(links(container, inside), ['9-1'], 'npm is PID 1');
  assert.deepEqual(
    findNpmLinks(9, (pid) => (pid === 9 ? inside : undefined)),
    [],
  );
});
