// The size limits of a mapping: those of the index settings, else those of the engine.

/** Limits of a mapping. */
export interface MappingLimits {
  /** index.mapping.total_fields.limit */
  readonly totalFields: number;
  /** index.mapping.depth.limit */
  readonly depth: number;
}

/** The limits of an index that sets none. */
export const DEFAULT_MAPPING_LIMITS: MappingLimits = Object.freeze({ totalFields: 1000, depth: 20 });

/** For a mapping that was accepted before: it stays, whatever the limits are now. */
export const NO_MAPPING_LIMITS: MappingLimits = Object.freeze({
  totalFields: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
});

/** The limits in flat settings, else `others`, which are read each time: those of an engine can change. */
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
