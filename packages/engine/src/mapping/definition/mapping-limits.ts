// How large may the mapping of an index grow? What its own settings say, and the limits of the engine where they say nothing.

/** Limits of a mapping. */
export interface MappingLimits {
  /** index.mapping.total_fields.limit */
  readonly totalFields: number;
  /** index.mapping.depth.limit */
  readonly depth: number;
}

/** What holds where an index sets nothing. */
export const DEFAULT_MAPPING_LIMITS: MappingLimits = Object.freeze({ totalFields: 1000, depth: 20 });

/** Of a mapping that was taken before: it stays, whatever the limits have become. */
export const NO_MAPPING_LIMITS: MappingLimits = Object.freeze({
  totalFields: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
});

/** Limits that flat settings set, over others that are asked each time: those of an engine can change. */
export function mappingLimits(
  settings: Readonly<Record<string, string>>,
  others: MappingLimits = DEFAULT_MAPPING_LIMITS,
): MappingLimits {
  const totalFields = settings['index.mapping.total_fields.limit'];
  const depth = settings['index.mapping.depth.limit'];
  return {
    get totalFields() {
      return totalFields === undefined ? others.totalFields : Number(totalFields);
    },
    get depth() {
      return depth === undefined ? others.depth : Number(depth);
    },
  };
}
