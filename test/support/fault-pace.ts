/**
 * Continuous integration runs a short round of fault tests; `npm run test:faults` by hand runs the full one. Limits in
 * milliseconds or bytes are exact only in the full round: a shared machine stalls and collects garbage late.
 */
export const isQuick: boolean = process.env.HOLDFAST_FAULTS === 'quick'

/** How often or how much a fault test tries, by hand and in a short round. */
export const tries = (whole: number, quick: number): number => (isQuick ? quick : whole)
