// The door of mention: text with mentions in it, as entities or as markup, exactly invertible.

export { type Content, type Entity, KINDS, type Kind, UNITS, type Unit } from './content.ts';
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
export { safeHref } from './links.ts';
export { parseMarkup, plainText } from './parse.ts';
export { normalizeContent, toMarkup } from './print.ts';
export { liveSegments, type Segment, segmentsOf } from './segments.ts';
export { truncate } from './truncate.ts';
export { convertUnit, lengthIn } from './units.ts';
export { type CurrentUser, mentionedUsers, renameUsers, type UserLookup } from './users.ts';
export { PROBLEMS, type Problem, type ProblemCode, validateContent } from './validate.ts';
