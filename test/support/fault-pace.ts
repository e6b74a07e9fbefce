/** Continuous integration runs a short round of faults; `npm run test:faults` by hand runs the whole. */
const isQuick = process.env.HOLDFAST_FAULTS === 'quick'

/** How often or how much a fault test tries, by hand and in a short round. */
export const tries = (whole: number, quick: number): number => (isQuick ? quick : whole)
