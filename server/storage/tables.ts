/**
 * Every table of the store with the type of its rows. This file names none: whoever owns a table adds it, beside the
 * statements that write it, and only the owner's stores may write it (`npm run boundaries`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by those who own tables
export interface DescribedTables {}
