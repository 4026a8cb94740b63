// A position in a list as a tuple: the sort values of the last item, one for each key, with their types.

/** One sort value. Bigints stay bigints and numbers numbers; a Date must be valid. */
export type TupleValue = null | boolean | number | bigint | string | Date | Uint8Array;

/** Sort values, one for each key of the sort. */
export type Tuple = readonly TupleValue[];
