import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, sentenceOf } from '../api/client.ts'

/** What is being typed: it outlives refusals, reconnects and new answers of the server. */
export type Draft<Values extends object> = {
  readonly values: Values
  /** The names of what differs from where it began. */
  readonly changes: readonly (keyof Values & string)[]
  /** What is wrong, by the name of the field. */
  readonly errors: Readonly<Record<string, string>>
  /** What is wrong with no field in particular. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  discard(): void
  /** Sends it; what the server refuses appears at its fields. Returns whether it was taken. */
  save(send: (values: Values, changes: readonly (keyof Values & string)[]) => Promise<unknown>): Promise<boolean>
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * A draft that begins with these values. Refusals name members of the API; those that are called otherwise in the form
 * are in `fieldOf`.
 */
export function useDraft<Values extends object>(
  initial: Values,
  fieldOf: Readonly<Record<string, string>> = {},
): Draft<Values> {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const values = { ...initial, ...typed }
  const changes = (Object.keys(typed) as (keyof Values & string)[]).filter(
    (name) => !isSame(typed[name], initial[name]),
  )
  useBlocker({
    // The same page with another filter is no reason to ask.
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname &&
      changes.length > 0 &&
      !isBusy &&
      !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => changes.length > 0,
  })
  const forget = () => {
    setErrors({})
    setProblem(undefined)
  }
  return {
    values,
    changes,
    errors,
    problem,
    isBusy,
    set: (name, value) => {
      setTyped((before) => ({ ...before, [name]: value }))
      setErrors(({ [name as string]: _, ...rest }) => rest)
    },
    discard: () => {
      setTyped({})
      forget()
    },
    save: async (send) => {
      setBusy(true)
      forget()
      try {
        await send(values, changes)
        setTyped({})
        return true
      } catch (error) {
        const found = complaintsOf(error, Object.keys(initial), fieldOf)
        setErrors(found.errors)
        setProblem(found.problem)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** A pointer such as `/data/attributes/name` names a field; what the form has no field for is about the whole. */
function complaintsOf(
  error: unknown,
  fields: readonly string[],
  fieldOf: Readonly<Record<string, string>>,
): { errors: Record<string, string>; problem: string | undefined } {
  if (!(error instanceof ApiFailure) || error.complaints.length === 0) return { errors: {}, problem: sentenceOf(error) }
  const errors: Record<string, string> = {}
  const rest: string[] = []
  for (const { pointer = '', text } of error.complaints) {
    const member = pointer.split('/').at(-1) ?? ''
    const field = fieldOf[member] ?? member
    if (fields.includes(field)) errors[field] = text.replace(/^[^:]*: /, '')
    else rest.push(text)
  }
  return { errors, problem: rest.join(' ') || undefined }
}
