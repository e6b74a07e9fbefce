import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type AnswerOf, call, callAt, type InputOf, type OperationName } from './client.ts'

type AskOptions<Answer> = {
  /** Asks only if this is true. */
  readonly when?: boolean
  /** Asks again after so many milliseconds. */
  readonly every?: number | ((answer: Answer | undefined) => number | false)
  /** Shows the answer before until the next one is there: lists do not jump. */
  readonly keep?: boolean
  /** The mount, for operations of a mounted method. */
  readonly mount?: string
}

/** The answer of an operation, remembered by its name and input. */
export function useAnswer<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { when = true, every, keep = false, mount }: AskOptions<AnswerOf<Name>> = {},
): UseQueryResult<AnswerOf<Name>> {
  return useQuery<AnswerOf<Name>>({
    queryKey: keyOf(name, input, mount),
    queryFn: () => (mount === undefined ? ask(name, input) : callAt(mount, name, input)),
    enabled: when,
    ...(every !== undefined && {
      refetchInterval:
        typeof every === 'number' ? every : (query) => every(query.state.data as AnswerOf<Name> | undefined),
    }),
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

// Whether an operation takes no input at all is not known here.
const ask = <Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>> =>
  (call as (name: Name, input: InputOf<Name>) => Promise<AnswerOf<Name>>)(name, input)

const keyOf = (name: string, input: unknown, mount?: string): QueryKey =>
  mount === undefined ? [name, input] : [name, input, mount]

/** A change: after it, the answers of these subjects are asked for again. */
export function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  subjects: readonly string[],
): UseMutationResult<Answer, Error, Input> {
  const refresh = useRefresh()
  return useMutation<Answer, Error, Input>({ mutationFn: change, onSuccess: () => refresh(subjects) })
}

/** Asks again for all answers about these subjects: the first part of the name of an operation. */
export function useRefresh(): (subjects: readonly string[]) => Promise<void> {
  const queries = useQueryClient()
  return (subjects) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [name] }) => subjects.some((subject) => String(name).startsWith(`${subject}.`)),
    })
}
