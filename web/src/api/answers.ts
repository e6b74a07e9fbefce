import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { startTransition, useState } from 'react'
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

/** A list of which only those parts are fetched that are in sight. */
export type LongAnswer<Answer> = {
  /** Its first part, which tells how many rows there are. */
  readonly first: UseQueryResult<Answer>
  /** The parts that are in sight and were fetched. */
  readonly parts: readonly Answer[]
  /** Their rows. */
  readonly rows: readonly RowOf<Answer>[]
  /** The rows in sight, counted from 0. */
  readonly seen: Sight
  /** What a table needs to show it. */
  readonly long: {
    readonly count: number
    readonly rowAt: (index: number) => RowOf<Answer> | undefined
    readonly sight: (first: number, last: number) => void
  }
}

/** What an answer lists. */
type RowOf<Answer> = Answer extends { readonly data: readonly (infer Row)[] } ? Row : never

type Listing = { readonly data: readonly unknown[]; readonly meta: { readonly pagination: { 'total-count': number } } }

type Sight = { readonly first: number; readonly last: number }

/** How many rows of a long list are fetched at once. */
export const partSize = 100

/** A long list, whose parts are asked for as they come into sight. */
export function useLongAnswer<Name extends OperationName>(
  name: Name,
  inputOf: (part: number) => InputOf<Name>,
): LongAnswer<AnswerOf<Name>> {
  const [seen, setSeen] = useState<Sight>({ first: 0, last: 0 })
  const first = useAnswer(name, inputOf(1), { keep: true })
  const from = Math.floor(seen.first / partSize) + 1
  const until = Math.floor(seen.last / partSize) + 1
  const numbers = Array.from({ length: until - from + 1 }, (_, at) => from + at).filter((number) => number > 1)
  const further = useQueries({
    queries: numbers.map((number) => ({
      queryKey: keyOf(name, inputOf(number)),
      queryFn: () => ask(name, inputOf(number)),
    })),
  })
  const byNumber = new Map<number, AnswerOf<Name>>()
  if (first.data !== undefined) byNumber.set(1, first.data)
  for (const [at, { data }] of further.entries())
    if (data !== undefined) byNumber.set(numbers[at] ?? 0, data as AnswerOf<Name>)
  const rowsOf = (part: AnswerOf<Name> | undefined) =>
    ((part as Listing | undefined)?.data ?? []) as readonly RowOf<AnswerOf<Name>>[]
  const parts = [...byNumber.values()]
  return {
    first,
    parts,
    rows: parts.flatMap(rowsOf),
    seen,
    long: {
      count: (first.data as Listing | undefined)?.meta.pagination['total-count'] ?? 0,
      rowAt: (index) => rowsOf(byNumber.get(Math.floor(index / partSize) + 1))[index % partSize],
      sight: (from, to) => startTransition(() => setSeen({ first: from, last: to })),
    },
  }
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

/** Asks again for all answers about these subjects, the first part of the name of an operation, but for one operation. */
export function useRefresh(): (subjects: readonly string[], except?: OperationName) => Promise<void> {
  const queries = useQueryClient()
  return (subjects, except) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [name] }) =>
        name !== except && subjects.some((subject) => String(name).startsWith(`${subject}.`)),
    })
}
