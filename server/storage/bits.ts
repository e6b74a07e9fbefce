/** A flag as both engines keep it. */
export const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** The same for a flag that may be unset. */
export const maybeBit = (value: boolean | null): 0 | 1 | null => (value === null ? null : bit(value))
