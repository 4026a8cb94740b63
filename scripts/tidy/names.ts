// An exported name means one thing in its package. Two files of a package that export the same name make a reader look up
// which of them is meant. Names that are passed on (`export … from`) are not counted.

import { codeLines, type Finding, isTest, type Project } from './project.ts';

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) ([\w$]+)/;

export function nameFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  const first = new Map<string, string>();
  for (const [path, text] of project) {
    const home = /^(?:packages|apps)\/([^/]+)\/src\/.*\.tsx?$/.exec(path)?.[1];
    if (home === undefined || isTest(path) || path.includes('/assembly/')) continue;
    for (const [at, line] of codeLines(text).entries()) {
      const name = EXPORT.exec(line)?.[1];
      if (name === undefined) continue;
      const other = first.get(`${home} ${name}`) ?? path;
      first.set(`${home} ${name}`, other);
      if (other !== path)
        findings.push({ path, line: at + 1, message: `${name} is exported by ${other} as well` });
    }
  }
  return findings;
}
