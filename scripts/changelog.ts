// npm run --silent changelog     shows what is not released yet
// npm run changelog -- 0.2.0     moves it into CHANGELOG.md, as the section of this release
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Problem = { problem: string }

/** What concerns everybody comes first. */
const TITLES = new Map([
  ['security', 'Security'],
  ['changed', 'Changed'],
  ['added', 'Added'],
  ['fixed', 'Fixed'],
])

/** The fragments of a checkout, by their path. */
function fragmentsIn(root: string): Map<string, string> {
  const files = globSync('changelog/*.md', { cwd: root }).sort()
  const fragments = files.filter((file) => !file.endsWith('README.md'))
  return new Map(fragments.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Joins lines such as `fixed: …` into one section with a heading for each kind, or says which line is no change. */
export function joinFragments(heading: string, fragments: ReadonlyMap<string, string>): string | Problem {
  const sentences = new Map([...TITLES.keys()].map((kind): [string, string[]] => [kind, []]))
  for (const [file, text] of fragments) {
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
      const [, kind = '', sentence = ''] = /^(\w+): (.+)$/.exec(line) ?? []
      const others = sentences.get(kind)
      if (!others) return { problem: `${file}: '${line}' begins with none of ${[...TITLES.keys()].join(', ')}` }
      others.push(`- ${sentence}`)
    }
  }
  const kinds = [...sentences].filter(([, lines]) => lines.length > 0)
  if (kinds.length === 0) return { problem: 'changelog/ has no fragments: nothing is new' }
  const sections = kinds.map(([kind, lines]) => `### ${TITLES.get(kind)}\n\n${lines.join('\n')}\n`)
  return [`## ${heading}\n`, ...sections].join('\n')
}

/** Moves the fragments of a checkout into its CHANGELOG.md, above the sections there, or says why not. */
export function release(version: string, root: string): Problem | undefined {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return { problem: `'${version}' is not a version such as 0.2.0` }
  const file = join(root, 'CHANGELOG.md')
  const changelog = readFileSync(file, 'utf8')
  const sections = changelog.split(/^(?=## )/m)
  if (sections.some((section) => section.split(/\s/, 2)[1] === version)) {
    return { problem: `CHANGELOG.md has a section ${version}: write the fragments into it by hand and remove them` }
  }
  const fragments = fragmentsIn(root)
  const section = joinFragments(version, fragments)
  if (typeof section !== 'string') return section
  const [introduction = '', ...others] = sections
  writeFileSync(file, [introduction, `${section}\n`, ...others].join(''))
  for (const fragment of fragments.keys()) rmSync(join(root, fragment))
  return undefined
}

/** What is not released yet, as a section. */
export const unreleased = (root: string): string | Problem => joinFragments('Unreleased', fragmentsIn(root))

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const version = process.argv[2]
  const result = version === undefined ? unreleased(root) : release(version, root)
  if (typeof result === 'string') process.stdout.write(result)
  else if (result) {
    console.error(result.problem)
    process.exitCode = 1
  }
}
