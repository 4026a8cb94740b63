// The files of deploy/ fit the program: their commands and environment variables exist, their paths are those of the image, and the
// probes ask for paths that need no key. Those for Kubernetes are valid by its schemas if `kubernetes-validate` (PyPI) is installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { program } from '../../packages/server/src/cli/main.ts';
import { ROOT } from '../tidy.ts';

const read = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8');
const FILES = ['compose.yml', 'kubernetes/storage.yml', 'kubernetes/first-key.yml', 'kubernetes/octavo.yml'];

test('environment variables are those of octavo serve', async () => {
  const serve = (await program()).commands.find((command) => command.name() === 'serve')!;
  const known = new Set(serve.options.map(({ envVar }) => envVar));
  for (const file of [...FILES, 'octavo.service'])
    for (const [, name = ''] of read(file).matchAll(/\b(OCTAVO_[A-Z_]+)\b(?= *[:=,])/g))
      assert.ok(known.has(name), `${file}: ${name}`);
});

test('the systemd unit and the guide name the same paths', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/deployment.md'), 'utf8');
  const unit = read('octavo.service');
  const paths = [...unit.matchAll(/(?<=[ =])\/(?:opt|etc|var)\/[\w./-]+/g)].map(([path]) => path);
  assert.ok(paths.length >= 5, paths.join(' '));
  for (const path of paths) assert.ok(guide.includes(path), path);
});

test('every file is YAML; the key is created where the server reads it', () => {
  for (const file of FILES)
    for (const document of parseAllDocuments(read(file)))
      assert.deepEqual((document as { errors: unknown[] }).errors, [], file);
  assert.match(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'), /OCTAVO_DATA=\/data/);
  assert.match(read('kubernetes/first-key.yml'), /args: \[keys, create, --data, \/data,/);
  for (const file of ['kubernetes/first-key.yml', 'kubernetes/octavo.yml'])
    assert.match(read(file), /mountPath: \/data[\s\S]*claimName: octavo-data/, file);
  for (const [, path] of read('kubernetes/octavo.yml').matchAll(/httpGet: \{ path: (\S+),/g))
    assert.match(path!, /^\/api\/health(\/ready)?$/);
});

const validator = spawnSync('kubernetes-validate', ['--version']).status === 0;

test('the files for Kubernetes are valid by its schemas, without unknown members', {
  skip: validator ? false : 'kubernetes-validate is not installed: pip install kubernetes-validate',
}, () => {
  const paths = FILES.filter((file) => file.startsWith('kubernetes/')).map((file) =>
    join(ROOT, 'deploy', file),
  );
  const options = ['--strict', '--kubernetes-version', '1.37'];
  const { status, stderr, stdout } = spawnSync('kubernetes-validate', [...options, ...paths], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
});
