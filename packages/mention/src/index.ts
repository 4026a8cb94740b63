// Public API of @octavo/mention: text with mentions as entities or as markup, with lossless conversion.

export {
  type Content,
  type Entity,
  KINDS,
  type Kind,
  type LinkEntity,
  type TopicEntity,
  UNITS,
  type Unit,
  type UserEntity,
} from './content.ts';
export {
  detectMentions,
  LONGEST_NAME,
  mentionCandidates,
  type NameResolver,
  type ResolvedName,
  type TypedName,
} from './detect.ts';
export { applyEdits, type Edit, mapEntities } from './edit.ts';
export { escapeMarkup, unescapeMarkup } from './escape.ts';
export { parseMarkup, plainText } from './parse.ts';
export { normalizeContent, toMarkup } from './print.ts';
export { safeHref } from './safe-href.ts';
export { liveSegments, type Segment, segmentsOf } from './segments.ts';
export { truncate } from './truncate.ts';
export { convertUnit, lengthIn } from './units.ts';
export { type CurrentUser, mentionedUsers, renameUsers, type UserLookup } from './users.ts';
export { PROBLEMS, type Problem, type ProblemCode, validateContent } from './validate.ts';
