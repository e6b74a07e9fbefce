import { projectSettings } from '../../server/product/people/organizations/index.ts'
import { settings as variableSettings } from '../../server/product/workspaces/variables/variable-fields.ts'
import { settings as workspaceSettings } from '../../server/product/workspaces/workspaces/workspace-fields.ts'
import type { Generated } from './generator.ts'

type Described = { readonly shown: object }

/** The settings of a description as documents name them, but for those that an import treats by itself. */
const namesOf = ({ shown }: Described, ...others: string[]): readonly string[] =>
  Object.keys(shown).filter((name) => !others.includes(name))

const lists = {
  workspaceSettings: namesOf(workspaceSettings, 'name', 'tool-version', 'auto-destroy-at'),
  projectSettings: namesOf(projectSettings),
  variableSettings: namesOf(variableSettings, 'key', 'category'),
} as const

const comments: Readonly<Record<keyof typeof lists, string>> = {
  workspaceSettings: 'Settings of workspaces that are the same on every server.',
  projectSettings: 'Settings of projects that are the same on every server.',
  variableSettings: 'What a variable has besides its key, category and value.',
}

const head = `// Made from the descriptions of documents by \`npm run gen\`: the command line imports no features.
`

/** On one line where it fits, as the formatter has it. */
function listText(name: string, entries: readonly string[]): string {
  const quoted = entries.map((entry) => `'${entry}'`)
  const line = `export const ${name} = [${quoted.join(', ')}] as const\n`
  return line.length <= 121
    ? line
    : `export const ${name} = [\n${quoted.map((each) => `  ${each},\n`).join('')}] as const\n`
}

/** The settings that `holdfast import` copies as they are. */
export async function generateImportLists(): Promise<Generated> {
  const names = Object.keys(lists) as (keyof typeof lists)[]
  const parts = names.map((name) => `\n/** ${comments[name]} */\n${listText(name, lists[name])}`)
  return { 'cli/import/setting-names.ts': [head, ...parts].join('') }
}
