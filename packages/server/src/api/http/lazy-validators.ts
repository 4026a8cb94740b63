// Compiles validators on their first use: a start compiles none of the schemas of routes that may never be
// called.

import type { FastifyServerOptions } from 'fastify';

type Plugin = Extract<
  NonNullable<NonNullable<FastifyServerOptions['ajv']>['plugins']>[number],
  (...args: never[]) => unknown
>;
type Ajv = Parameters<Plugin>[0];

interface Validator {
  (data: unknown): unknown;
  errors?: unknown;
}

/** A plugin for `ajv.plugins` that makes `compile` lazy. */
export function lazyValidators(ajv: Ajv): Ajv {
  const compile = ajv.compile.bind(ajv) as (schema: object) => Validator;
  const lazily = (schema: object): Validator => {
    let compiled: Validator | undefined;
    const validate: Validator = (data) => {
      compiled ??= compile(schema);
      const valid = compiled(data);
      validate.errors = compiled.errors;
      return valid;
    };
    return validate;
  };
  ajv.compile = lazily as typeof ajv.compile;
  return ajv;
}
