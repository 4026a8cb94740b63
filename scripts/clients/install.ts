// Installs a client with the package client of its language, in a folder of its own outside the checkout, and says how its
// program is run there. A folder is kept while its packages stay the same.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client, Language } from './client-list.ts';
import { runCommand } from './run-command.ts';

const PROGRAMS = fileURLToPath(new URL('.', import.meta.url));
const CACHE = process.env['OCTAVO_CLIENTS'] ?? join(homedir(), '.cache', 'octavo-clients');
const INSTALL_SECONDS = 600;

type Command = readonly [program: string, ...args: string[]];

interface Installer {
  /** The commands that install the packages of a client. */
  readonly install: (client: Client) => readonly Command[];
  /** The files that go into the folder before the packages. */
  readonly files: (client: Client) => Readonly<Record<string, string>>;
  /** The file of the program, of the folder of the language. */
  readonly program: (name: string) => string;
  /** The files with what the programs of the language share. */
  readonly shared: readonly string[];
  /** Commands between the copying of the program and its run. */
  readonly build: readonly Command[];
  /** The name of the program in the folder of its client. */
  readonly as: string;
  readonly run: Command;
}

const underscored = (name: string): string => name.replaceAll('-', '_');

const INSTALLERS: Readonly<Record<Language, Installer>> = {
  js: {
    files: () => ({ 'package.json': '{ "type": "module", "private": true }\n' }),
    install: ({ packages }) => [
      ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
    ],
    program: (name) => `${name}.js`,
    shared: ['calls.js'],
    build: [],
    as: 'program.js',
    run: [process.execPath, 'program.js'],
  },
  python: {
    files: () => ({}),
    install: ({ packages }) => [
      ['python3', '-m', 'venv', 'venv'],
      [join('venv', 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages],
    ],
    program: (name) => `${underscored(name)}.py`,
    shared: ['calls.py', 'track.py'],
    build: [],
    // Not the name of the client, which would hide its module.
    as: 'program.py',
    run: [join('venv', 'bin', 'python'), 'program.py'],
  },
  go: {
    files: () => ({}),
    install: ({ packages }) => [
      ['go', 'mod', 'init', 'octavo.example/client'],
      ['go', 'get', ...packages],
    ],
    program: (name) => `${underscored(name)}.go`,
    shared: ['calls.go'],
    build: [['go', 'build', '-mod=mod', '-o', 'client', '.']],
    as: 'program.go',
    run: ['./client'],
  },
  java: {
    files: ({ packages }) => ({ 'pom.xml': pomOf(packages) }),
    install: () => [
      ['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
    ],
    program: (name) => join(underscored(name), 'Main.java'),
    shared: ['Calls.java'],
    build: [['javac', '-d', 'classes', '-cp', join('lib', '*'), 'Calls.java', 'Main.java']],
    as: 'Main.java',
    run: ['java', '-cp', `classes:${join('lib', '*')}`, 'Main'],
  },
};

function pomOf(packages: readonly string[]): string {
  const dependencies = packages.map((name) => {
    const [group, artifact, version] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>octavo.example</groupId><artifactId>client</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>
`;
}

/** The version in the name of a package: what follows its last `@`, `==` or `:`. */
export function versionOf(name: string): string {
  return /(?:@|==|:)v?([^@=:]+)$/.exec(name)?.[1] ?? 'newest';
}

/** The file of the program of a client. */
export function programOf({ name, language }: Client): string {
  return join(PROGRAMS, language, INSTALLERS[language].program(name));
}

export interface Installed {
  readonly folder: string;
  readonly command: Command;
}

/** Installs a client and its program. Throws with the reason if a command fails. */
export async function install(client: Client): Promise<Installed> {
  const { name, language, packages } = client;
  const installer = INSTALLERS[language];
  const folder = join(CACHE, name);
  const stamp = join(folder, '.packages');
  const wanted = packages.join('\n');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(installer.files(client)))
      writeFileSync(join(folder, file), text);
    for (const command of installer.install(client)) await succeed(command, folder);
    writeFileSync(stamp, wanted);
  }
  for (const file of installer.shared) cpSync(join(PROGRAMS, language, file), join(folder, file));
  cpSync(programOf(client), join(folder, installer.as));
  for (const command of installer.build) await succeed(command, folder);
  return { folder, command: installer.run };
}

async function succeed([program, ...args]: Command, folder: string): Promise<void> {
  const { ended, output, errors } = await runCommand(program, args, folder, INSTALL_SECONDS);
  if (ended === 0) return;
  // Go heads the errors of a package with its name.
  const said = `${errors}\n${output}`.replace(/^# .*\n/, '').trim();
  throw new Error(`${program} ${args[0]} ended with ${ended}: ${said}`);
}
