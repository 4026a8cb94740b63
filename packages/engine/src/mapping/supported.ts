// Which mappings are understood but not carried out? Those with nested objects: kept flat, they would match across the
// objects of a document, so a new one is refused. (Indices that have one from before can still be read.)

import { EngineError } from '../errors.ts';
import type { IndexMapping, Node } from './mapping.ts';
import { parsing } from './params.ts';
import type { Mapping } from './type.ts';

const ADVICE =
  'its objects would be matched as one; map it as [object], or index each as a document of its own';

/** Throws mapper_parsing_exception, naming the field, where `now` has a nested object that `before` had not. */
export function refuseNested(now: Mapping, before?: Mapping): void {
  const mapping = now as IndexMapping;
  const old = before as IndexMapping | undefined;
  const walk = (node: Node): void => {
    if (node.kind !== 'object') return;
    const was = old?.node(node.path);
    if (node.def.nested && !(was?.kind === 'object' && was.def.nested))
      throw refusal(`type [nested] of field [${node.path}] is not supported: ${ADVICE}`);
    for (const child of node.children.values()) walk(child);
  };
  walk(mapping.root);
  for (const { name, mapping: made } of mapping.options.templates) {
    if (made['type'] !== 'nested' || old?.options.templates.some((one) => one.name === name)) continue;
    throw refusal(`type [nested] in dynamic template [${name}] is not supported: ${ADVICE}`);
  }
}

function refusal(reason: string): EngineError {
  return new EngineError('mapper_parsing_exception', `Failed to parse mapping [_doc]: ${reason}`, {
    causedBy: parsing(reason),
  });
}
