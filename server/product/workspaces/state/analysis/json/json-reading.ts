/** A step of the path to a place in a document: the key in an object, or the position in a list. */
export type PathStep = string | number

/**
 * What becomes of a part: it is read; it is read if it is a list or object, and dropped if not; it is null in the
 * result; or the result does not have it at all.
 */
export type Fate = 'keep' | 'enter' | 'blank' | 'drop'

/** What `reduce` returns for a list or object that the result need not have. */
export const leftOut = Symbol('left out')

/** Which parts of a document are kept; the others are only checked. Paths may only be used during the call. */
export type Reading = {
  /**
   * Decides about a part before it is read. `kept` is roughly how many bytes the result takes so far. `begins` tells
   * whether the part is an object with this key first; it may say no at the end of a piece.
   */
  prune(path: readonly PathStep[], kept: number, begins: (key: string) => boolean): Fate
  /** Replaces a list or object that was read by the part of it that is kept. */
  reduce?(path: readonly PathStep[], value: unknown): unknown
  /**
   * Asked about texts and keys that are longer than a name, perhaps several times while one arrives. One that is too
   * long is null as a value, and empty as a key.
   */
  allowsText?(path: readonly PathStep[], length: number, kept: number): boolean
}
