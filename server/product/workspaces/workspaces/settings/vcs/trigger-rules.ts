import { RE2JS } from 're2js'
import type { Fault } from '../../../../../kernel/failure.ts'
import type { WorkspaceSettings } from '../../workspace-rules.ts'
import { type AskedSettings, faultAt } from '../asked-rules.ts'
import { isSmallExpression } from './regex-size.ts'

/** The longest pattern, prefix or expression; anything longer is a mistake or an attack. */
export const longestPattern = 1_024

/** The most patterns or prefixes of a workspace, and the most characters of them together. */
export const maxPatterns = 1_000
const maxTotalLength = 65_536

/**
 * What is wrong with a list of patterns or prefixes. It is limited because every answer with the workspace contains it.
 */
export const patternsProblem = (patterns: readonly string[]): string | undefined =>
  patterns.reduce((sum, { length }) => sum + length, 0) > maxTotalLength
    ? `may have at most ${maxTotalLength} characters in all`
    : undefined

/** The deepest nesting of brackets in a glob, so that no pattern expands without limit. */
const deepestNesting = 8

/** What is wrong with a path inside a repository. */
export const relativePathProblem = (path: string): string | undefined =>
  path.split(/[\\/]/).includes('..') || hasControl(path) ? 'must be a relative path inside the repository' : undefined

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text)

/** What is wrong with a glob pattern. It is parsed once and not compiled: compilers take long for some patterns. */
export const globProblem = (pattern: string): string | undefined =>
  pattern === '' || hasControl(pattern) || pattern.split('/').includes('..') || !isBalanced(pattern)
    ? 'is not a valid glob'
    : undefined

const closingBrackets: Readonly<Record<string, string>> = { '{': '}', '(': ')' }

function isBalanced(pattern: string): boolean {
  const open: string[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === '\\') at++
    else if (char === open.at(-1)) open.pop()
    else if (char === '[') {
      characterClass.lastIndex = at
      if (!characterClass.test(pattern)) return false
      at = characterClass.lastIndex - 1
    } else if (char in closingBrackets) open.push(closingBrackets[char] as string)
    else if (char === ']' || char === '}' || char === ')') return false
    if (open.length > deepestNesting) return false
  }
  return open.length === 0
}

/** A bracket right after the opening one, or after its negation, is a member of the class; so is `[:alpha:]`. */
const characterClass = /\[(?:[!^]?\]|(?![!^]?\]))(?:\[:\w+:\]|\\.|[^\]\\])*\]/y

/** What is wrong with a regular expression; RE2 takes time linear in the input, whatever the expression. */
export function regexProblem(expression: string): string | undefined {
  if (!isSmallExpression(expression)) return 'is not a valid regular expression: its repetitions are too many'
  try {
    if (expression !== '') RE2JS.compile(expression)
    return undefined
  } catch (error) {
    if (error instanceof Error) return 'is not a valid regular expression'
    throw error
  }
}

type Triggers = Pick<WorkspaceSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>
type Asked = Pick<AskedSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>

/** Which changes of a repository start runs, after a request. Patterns and prefixes replace each other. */
export function settleTriggers(
  asked: Asked,
  before: Triggers,
  tags: { readonly regex: string | null; readonly given: boolean },
): { readonly triggers: Triggers; readonly faults: readonly Fault[] } {
  const prefixes = asked.triggerPrefixes === null ? [] : asked.triggerPrefixes
  const patterns = asked.triggerPatterns === null ? [] : asked.triggerPatterns
  const faults: Fault[] = []
  if (prefixes?.length && patterns?.length) {
    faults.push(faultAt('trigger-patterns', 'Trigger patterns cannot be combined with trigger-prefixes'))
  }
  const offByTags = tags.given && tags.regex !== null && asked.fileTriggersEnabled === undefined
  const triggers: Triggers = {
    fileTriggersEnabled: asked.fileTriggersEnabled ?? (offByTags ? false : before.fileTriggersEnabled),
    triggerPrefixes: patterns?.length ? [] : unique(prefixes ?? before.triggerPrefixes),
    triggerPatterns: prefixes?.length ? [] : unique(patterns ?? before.triggerPatterns),
  }
  const clash = triggers.fileTriggersEnabled || prefixes?.length || patterns?.length || hasLists(triggers)
  if (tags.regex !== null && clash) faults.push(clashWithTags)
  return { triggers, faults }
}

const clashWithTags = faultAt(
  'vcs-repo/tags-regex',
  'Tags regex cannot be combined with trigger-patterns, trigger-prefixes or file-triggers-enabled',
)

const hasLists = (triggers: Triggers): boolean =>
  triggers.triggerPrefixes.length > 0 || triggers.triggerPatterns.length > 0

const unique = (entries: readonly string[]): readonly string[] => [...new Set(entries)]
