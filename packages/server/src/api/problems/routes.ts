// `/api/problems`: the meaning of problem codes. The `type` of every problem links here.

import type { ErrorKind } from '@octavo/records';
import { PROBLEMS, Problem, type ProblemCode } from '../../errors/problem.ts';
import { Type } from '../http/json-schema.ts';
import { pageEnvelope, pageSchema } from '../http/page-envelope.ts';
import type { ServerResource } from '../resource.ts';

const Meaning = Type.Object(
  {
    type: Type.String(),
    code: Type.String(),
    status: Type.Integer(),
    title: Type.String(),
    remedy: Type.String({ description: 'What to do.' }),
  },
  { title: 'ProblemMeaning', description: 'What a problem code means.' },
);

interface ProblemMeaning extends ErrorKind {
  readonly type: string;
  readonly code: string;
}

function meaningOf(code: ProblemCode, mount: string): ProblemMeaning {
  return { type: `${mount}/api/problems/${code}`, code, ...PROBLEMS[code] };
}

export const problems: ServerResource = async (app) => {
  app.get(
    '/problems',
    {
      config: { etag: true },
      schema: {
        operationId: 'listProblems',
        tags: ['server'],
        summary: 'List all problem codes',
        description: 'Ordered by code, all on one page.',
        response: { 200: pageSchema(Meaning) },
      },
    },
    async ({ mount }) => {
      const all = (Object.keys(PROBLEMS) as ProblemCode[]).sort().map((code) => meaningOf(code, mount));
      return pageEnvelope(all, false, {});
    },
  );
  app.get(
    '/problems/:code',
    {
      config: { etag: true },
      schema: {
        operationId: 'getProblem',
        tags: ['server'],
        summary: 'Describe a problem code',
        params: Type.Object({ code: Type.String({ maxLength: 100 }) }),
        response: { 200: Meaning },
      },
    },
    async (request) => {
      const { code } = request.params;
      if (!Object.hasOwn(PROBLEMS, code)) {
        throw new Problem('not-found', `There is no problem code ${code}; /api/problems lists all codes.`);
      }
      return meaningOf(code as ProblemCode, request.mount);
    },
  );
};
