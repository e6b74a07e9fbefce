import { type Failure, failure } from '../../../kernel/failure.ts'

/** The endpoints whose caller may be the wrapping token itself. */
const openingPaths: ReadonlySet<string> = new Set(['sys/wrapping/unwrap', 'sys/wrapping/rewrap'])

/** True for a path where a wrapped answer is opened. */
export const opensWrapping = (path: string): boolean => openingPaths.has(path)

/** The refusal clients of this family look for: the wrapped answer is gone, or was never there. */
export const notAWrappingToken = (): Failure =>
  failure('invalid', 'wrapping.invalid-token', 'wrapping token is not valid or does not exist')
