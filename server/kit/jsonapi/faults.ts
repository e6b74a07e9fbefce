import { type Failure, type Fault, failure } from '../../kernel/failure.ts'

/** Where a value is in a document, and what errors call it. */
export type Place = { readonly pointer: string; readonly label: string }

/** Notes that the value at a place is not acceptable; `predicate` follows its name: "can't be blank". */
export function addFault(faults: Fault[], at: Place, predicate: string, code?: string): undefined {
  faults.push({ detail: `${at.label} ${predicate}`, pointer: at.pointer, ...(code ? { code } : {}) })
  return undefined
}

/** The failure that carries all faults of a document; each becomes an error of its own, sorted by pointer. */
export const invalidDocument = (faults: readonly Fault[]): Failure =>
  failure('invalid', 'document.invalid', faults.map(({ detail }) => detail).join('; '), { faults })

/** Throws when there are faults. */
export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidDocument(faults)
}

/** The failure of one attribute, found where the document alone did not show it: `Name has already been taken`. */
export const invalidAttribute = (name: string, detail: string, code?: string): Failure =>
  invalidDocument([{ detail, pointer: `/data/attributes/${name}`, ...(code ? { code } : {}) }])

/** The failure of one relationship of the document. */
export const invalidRelationship = (name: string, detail: string, code?: string): Failure =>
  invalidDocument([{ detail, pointer: `/data/relationships/${name}`, ...(code ? { code } : {}) }])
