// The size limits of a mapping: those of the index settings, else those of the engine.

/** Limits of a mapping. */
export interface MappingLimits {
  /** index.mapping.total_fields.limit */
  readonly totalFields: number;
  /** index.mapping.depth.limit */
  readonly depth: number;
  /** index.mapping.nested_fields.limit */
  readonly nestedFields: number;
  /** index.mapping.nested_objects.limit: nested objects of one document. */
  readonly nestedObjects: number;
}

/** The limits of an index that sets none. */
export const DEFAULT_MAPPING_LIMITS: MappingLimits = Object.freeze({
  totalFields: 1000,
  depth: 20,
  nestedFields: 50,
  nestedObjects: 10_000,
});

/** For a mapping that was accepted before: it stays, whatever the limits are now. */
export const NO_MAPPING_LIMITS: MappingLimits = Object.freeze({
  totalFields: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  nestedFields: Number.POSITIVE_INFINITY,
  nestedObjects: Number.POSITIVE_INFINITY,
});

/** The limits in flat settings, else `others`, which are read each time: those of an engine can change. */
export function mappingLimits(
  settings: Readonly<Record<string, string>>,
  others: MappingLimits = DEFAULT_MAPPING_LIMITS,
): MappingLimits {
  const limit = (name: string, other: keyof MappingLimits): number => {
    const set = settings[`index.mapping.${name}.limit`];
    return set === undefined ? others[other] : Number(set);
  };
  return {
    get totalFields() {
      return limit('total_fields', 'totalFields');
    },
    get depth() {
      return limit('depth', 'depth');
    },
    get nestedFields() {
      return limit('nested_fields', 'nestedFields');
    },
    get nestedObjects() {
      return limit('nested_objects', 'nestedObjects');
    },
  };
}
