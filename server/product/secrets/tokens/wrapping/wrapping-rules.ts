import { type Failure, failure } from '../../../../kernel/failure.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'

const openingPaths: ReadonlySet<string> = new Set(['sys/wrapping/unwrap', 'sys/wrapping/rewrap'])

/** True for a request that opens a wrapped answer with the token it presents, instead of naming another one. */
export const opensOwnAnswer = ({ path, fields, presentedToken }: RequestFacts): boolean =>
  openingPaths.has(path) && (!fields.token || fields.token === presentedToken)

/** The refusal clients of this family look for: the wrapped answer is gone, or was never there. */
export const notAWrappingToken = (): Failure =>
  failure('invalid', 'wrapping.invalid-token', 'wrapping token is not valid or does not exist')
