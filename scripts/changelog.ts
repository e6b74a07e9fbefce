import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What concerns everybody comes first. */
const titles = { security: 'Security', changed: 'Changed', added: 'Added', fixed: 'Fixed' } as const

/** Joins lines such as `fixed: …` into one text, by kind. Lines of another form are not changes. */
export function joinChanges(fragments: readonly string[]): string {
  const changes = fragments.flatMap((text) => text.split('\n')).map((line) => /^(\w+): (.+)$/.exec(line))
  const sections = Object.entries(titles).map(([kind, title]) => {
    const sentences = changes.flatMap((change) => (change?.[1] === kind ? [`- ${change[2]}`] : []))
    return sentences.length === 0 ? '' : `## ${title}\n\n${sentences.join('\n')}\n`
  })
  return sections.filter((section) => section !== '').join('\n')
}

/** The fragments there are, or those that came after a revision. */
function fragmentFiles(root: string, since: string | undefined): string[] {
  if (since === undefined) return readdirSync(join(root, 'changelog')).map((name) => `changelog/${name}`)
  const command = ['diff', '--name-only', '--diff-filter=AM', '--end-of-options', since, '--', 'changelog']
  return execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = fragmentFiles(root, process.argv[2]).filter(
    (name) => name.endsWith('.md') && !name.endsWith('README.md'),
  )
  process.stdout.write(joinChanges(files.map((name) => readFileSync(join(root, name), 'utf8'))))
}
