/** Texts by their path from the root of the checkout. */
export type Generated = Record<string, string>

/** Generates files from the code. The same code always generates the same files. */
export type Generator = { name: string; generate: () => Promise<Generated> }
