import type { Schemas } from '../../api/client.ts'

/** A variable as answers show it. */
export type Variable = Schemas['Variable']

/** What a form about a variable holds. */
export type VariableValues = {
  readonly key: string
  readonly value: string
  readonly category: string
  readonly hcl: boolean
  readonly sensitive: boolean
  readonly description: string
}

/** The name of inputs among the categories of the API, and the other one. */
export const categories = [
  ['terraform', 'Input of the configuration'],
  ['env', 'Environment of its runs'],
] as const

/** The largest value, in bytes. */
const maxBytes = 256 * 1024

/** What is wrong with the name, as it is typed; undefined while it is empty, which only sending tells. */
export function keyProblem({ key, category }: VariableValues, others: readonly VariableValues[]): string | undefined {
  if (/[\s\p{Cc}]/u.test(key)) return 'It must not contain spaces.'
  if (category === 'env' && key.includes('=')) return 'It must not contain "=" in an environment.'
  if (key.length > 128) return 'It can have at most 128 characters.'
  return others.some((other) => other.key === key && other.category === category)
    ? 'There is one of this name already.'
    : undefined
}

/** What is wrong with the value, as it is typed. */
export function valueProblem({ value, hcl }: VariableValues): string | undefined {
  if (new TextEncoder().encode(value).length > maxBytes) return 'It can have at most 256 KiB.'
  return hcl ? bracketProblem(value) : undefined
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Brackets and quotes that do not match: the rest of HCL is left to the tool. */
function bracketProblem(text: string): string | undefined {
  const open: string[] = []
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, '')
  if (withoutStrings.includes('"')) return 'A quote is not closed.'
  for (const sign of withoutStrings) {
    if ('([{'.includes(sign)) open.push(sign)
    else if (sign in pairs && open.pop() !== pairs[sign]) return `A ${sign} closes nothing.`
  }
  return open.length > 0 ? `A ${open.at(-1)} is not closed.` : undefined
}
