// `npm run test:openapi`: generates clients in Python, Go and Kotlin from the server's OpenAPI document with openapi-generator,
// and compiles them. No mapping is needed, and one option: Python and Go choose the type of an event by the discriminator only with
// `useOneOfDiscriminatorLookup`. Each client then posts an item, lists the feed, reads the event and searches on a new server. (Kotlin's
// default library, Moshi, reads no unions: its program chooses the class of the event.) Exit code 1 if one fails. A language whose tools are missing is
// skipped with the reason. Not part of `npm test`: it takes some minutes.
//
//   npm run test:openapi                 all languages
//   npm run test:openapi -- python go    these only

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOctavo } from '../../bench/peers/octavo.ts';
import { runCommand } from '../clients/run-command.ts';

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0';
const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url));
const FOLDER = process.env['OCTAVO_OPENAPI'] ?? join(homedir(), '.cache', 'octavo-openapi');
const SECONDS = 1200;

type Command = readonly [program: string, ...args: string[]];

interface Language {
  /** The program that must be installed. */
  readonly tool: Command;
  /** The program that calls the server, and its place in the generated client. */
  readonly program: readonly [name: string, place: string];
  /** Properties of the generator. */
  readonly properties?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly build: readonly Command[];
  /** Takes the address of the server as its last argument. */
  readonly run: Command;
}

const KOTLIN = '2.2.20';
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>octavo.example</groupId><artifactId>client</artifactId><version>1</version>
<dependencies>${[
  `org.jetbrains.kotlin:kotlin-stdlib:${KOTLIN}`,
  `org.jetbrains.kotlin:kotlin-reflect:${KOTLIN}`,
  'com.squareup.moshi:moshi-kotlin:1.15.2',
  'com.squareup.moshi:moshi-adapters:1.15.2',
  'com.squareup.okhttp3:okhttp-jvm:5.1.0',
]
  .map((name) => name.split(':'))
  .map(
    ([group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  )
  .join('\n')}</dependencies>
<build><sourceDirectory>src/main/kotlin</sourceDirectory><plugins><plugin><groupId>org.jetbrains.kotlin</groupId>
<artifactId>kotlin-maven-plugin</artifactId><version>${KOTLIN}</version>
<executions><execution><phase>compile</phase><goals><goal>compile</goal></goals></execution></executions>
</plugin></plugins></build></project>
`;

const BY_DISCRIMINATOR = 'useOneOfDiscriminatorLookup=true';

const MAVEN: Command = ['mvn', '--quiet', '--batch-mode'];

/** By the name of the generator. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    tool: ['python3', '--version'],
    program: ['call.py', 'call.py'],
    properties: BY_DISCRIMINATOR,
    build: [
      ['python3', '-m', 'venv', 'venv'],
      [
        join('venv', 'bin', 'pip'),
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '-r',
        'requirements.txt',
      ],
      [join('venv', 'bin', 'python'), '-m', 'compileall', '-q', 'openapi_client'],
    ],
    run: [join('venv', 'bin', 'python'), 'call.py'],
  },
  go: {
    tool: ['go', 'version'],
    program: ['call.go', join('call', 'call.go')],
    properties: BY_DISCRIMINATOR,
    build: [['go', 'build', '-mod=mod', '-o', 'client', './call']],
    run: ['./client'],
  },
  kotlin: {
    tool: [...MAVEN, '--version'],
    program: ['Call.kt', join('src', 'main', 'kotlin', 'Call.kt')],
    files: { 'pom.xml': POM },
    build: [[...MAVEN, 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    run: ['java', '-cp', `target/classes:${join('lib', '*')}`, 'CallKt'],
  },
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a command. Throws with what it printed if it fails. */
async function succeed([program, ...args]: Command, folder: string): Promise<string> {
  const { ended, output, errors } = await runCommand(program, args, folder, SECONDS);
  if (ended === 0) return output;
  const text = `${errors}\n${output}`.trim().split('\n').slice(0, 40).join('\n');
  throw new Error(`${program} ${args[0]} ended with ${ended}:\n${text}`);
}

/** The generator's archive, from Maven's local repository. */
async function fetchGenerator(): Promise<string> {
  await succeed([...MAVEN, 'dependency:get', `-Dartifact=${GENERATOR}`, '-Dtransitive=false'], FOLDER);
  const [group = '', artifact = '', version = ''] = GENERATOR.split(':');
  const home = join(homedir(), '.m2', 'repository', ...group.split('.'), artifact, version);
  return join(home, `${artifact}-${version}.jar`);
}

async function tryLanguage(name: string, language: Language, generator: string, url: string): Promise<void> {
  const folder = join(FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  const options = language.properties === undefined ? [] : ['--additional-properties', language.properties];
  await succeed(
    ['java', '-jar', generator, 'generate', '-i', 'openapi.json', '-g', name, '-o', name, ...options],
    FOLDER,
  );
  const [program, place] = language.program;
  mkdirSync(dirname(join(folder, place)), { recursive: true });
  copyFileSync(join(PROGRAMS, program), join(folder, place));
  for (const [file, text] of Object.entries(language.files ?? {})) writeFileSync(join(folder, file), text);
  for (const command of language.build) await succeed(command, folder);
  const output = await succeed([...language.run, url], folder);
  say(`${name}: compiled; ${output.trim()}`);
}

/** True if all languages that could be tried work. */
async function tryAll(names: readonly string[]): Promise<boolean> {
  const unknown = names.find((name) => !Object.hasOwn(LANGUAGES, name));
  if (unknown !== undefined)
    throw new Error(`there is no language ${unknown}: choose of ${Object.keys(LANGUAGES).join(', ')}`);
  mkdirSync(FOLDER, { recursive: true });
  const missing = (await runCommand('mvn', ['--version'], FOLDER, 60)).ended !== 0;
  if (missing) {
    say('skipped: Maven, which brings the generator, is not installed');
    return true;
  }
  const generator = await fetchGenerator();
  const octavo = await startOctavo();
  let works = true;
  try {
    const reply = await fetch(`${octavo.url}/api/openapi.json`);
    writeFileSync(join(FOLDER, 'openapi.json'), await reply.text());
    for (const [name, language] of Object.entries(LANGUAGES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const [tool, ...args] = language.tool;
      if ((await runCommand(tool, args, FOLDER, 60)).ended !== 0) {
        say(`${name}: skipped: ${tool} is not installed`);
        continue;
      }
      try {
        await tryLanguage(name, language, generator, octavo.url);
      } catch (error) {
        works = false;
        say(`${name}: failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await octavo.stop();
  }
  return works;
}

if (import.meta.main) process.exitCode = (await tryAll(process.argv.slice(2))) ? 0 : 1;
