/**
 * Continuous integration runs a short round of faults; `npm run test:faults` by hand runs the whole. What is measured in
 * milliseconds or bytes has its exact limit in the whole round only: a shared machine stalls, and collects garbage late.
 */
export const isQuick: boolean = process.env.HOLDFAST_FAULTS === 'quick'

/** How often or how much a fault test tries, by hand and in a short round. */
export const tries = (whole: number, quick: number): number => (isQuick ? quick : whole)
