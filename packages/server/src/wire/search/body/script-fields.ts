// Reads `script_fields`: scripts by the names of the values that they compute.

import {
  EngineError,
  isObject,
  type JsonObject,
  readScript,
  type ScriptField,
  type ScriptSpec,
  unknownKey,
} from '@octavo/engine';

/** As many as the setting `index.max_script_fields` allows by default. */
const MOST = 32;

/** Throws for members that are no scripts. */
export function readScriptFields(body: JsonObject): ScriptField[] {
  const names = Object.keys(body);
  if (names.length > MOST) {
    throw new EngineError(
      'illegal_argument_exception',
      `Trying to retrieve too many script_fields. Must be less than or equal to: [${MOST}] but was [${names.length}].`,
    );
  }
  return names.map((name) => readField(name, body));
}

function readField(name: string, body: JsonObject): ScriptField {
  const value = body[name]!;
  if (!isObject(value)) throw parsing(`Expected [START_OBJECT] in [${name}] but found another value`);
  let script: ScriptSpec | undefined;
  let ignoreFailure = false;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'script') script = readScript(value, key);
    else if (key === 'ignore_failure' && typeof member === 'boolean') ignoreFailure = member;
    else throw unknownKey(key, member);
  }
  if (script === undefined) throw parsing('must specify a script in script fields');
  return { name, script, ignoreFailure };
}

function parsing(reason: string): EngineError {
  return new EngineError('parsing_exception', reason);
}
