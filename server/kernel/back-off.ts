/** How long to wait after a first failure, and at most, in milliseconds. */
type Waits = { readonly first: number; readonly longest: number }

/** Milliseconds to wait after so many failures in a row: twice as long after each one. */
export const backOff = ({ first, longest }: Waits, failures: number): number =>
  Math.min(longest, first * 2 ** Math.max(0, failures - 1))
