// npm run gen              writes the generated files
// npm run gen -- --check   writes nothing, fails if one of them is out of date
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateApiClient } from './generators/api-client.ts'
import { generateCommandFields } from './generators/command-fields.ts'
import { generateCommandsPage } from './generators/commands.ts'
import { generateConfigurationPage } from './generators/configuration.ts'
import type { Generated, Generator } from './generators/generator.ts'
import { generateHotSql } from './generators/hot-sql.ts'
import { generateImportLists } from './generators/import-lists.ts'
import { generateListPlans } from './generators/list-plans.ts'
import { generateOpenApi } from './generators/openapi.ts'
import { generateRunStates } from './generators/run-states.ts'
import { generateTables } from './generators/tables.ts'

const GENERATORS: readonly Generator[] = [
  { name: 'configuration page', generate: generateConfigurationPage },
  { name: 'OpenAPI document', generate: generateOpenApi },
  { name: 'types and routes of the API client', generate: generateApiClient },
  { name: 'fields that commands take', generate: generateCommandFields },
  { name: 'page about commands', generate: generateCommandsPage },
  { name: 'SQL of the hot paths', generate: generateHotSql },
  { name: 'tables with their columns', generate: generateTables },
  { name: 'plans of the list of workspaces', generate: generateListPlans },
  { name: 'states of runs', generate: generateRunStates },
  { name: 'settings that imports copy', generate: generateImportLists },
]

/** The generated files that differ from what the code generates, by path. */
export async function outdatedFiles(root: string, generators: readonly Generator[] = GENERATORS): Promise<Generated> {
  const outdated: Generated = {}
  for (const { generate } of generators) {
    for (const [file, text] of Object.entries(await generate())) {
      if (readIfThere(join(root, file)) !== text) outdated[file] = text
    }
  }
  return outdated
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function main(args: readonly string[]): Promise<number> {
  const root = join(import.meta.dirname, '..')
  const outdated = Object.entries(await outdatedFiles(root))
  if (args.includes('--check')) {
    for (const [file] of outdated) console.error(`${file} is out of date; run \`npm run gen\` and commit it`)
    return outdated.length > 0 ? 1 : 0
  }
  for (const [file, text] of outdated) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.error(`wrote ${file}`)
  }
  if (outdated.length === 0) console.error('all generated files are up to date')
  return 0
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)))
