import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtUi } from '../../server/http/ui.ts'
import { chromiumPath } from '../support/chromium.ts'

/** A file of the build, as Vite describes it. */
type Part = {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

const kB = 1000

/** What a browser loads for a page, compressed: the frame, the page, their styles, and the fonts of their text. */
function weightOf(parts: Readonly<Record<string, Part>>, page: string): number {
  const wanted = new Set<string>()
  const add = (name: string): void => {
    const part = parts[name]
    if (!part || wanted.has(part.file)) return
    wanted.add(part.file)
    for (const sheet of part.css ?? []) wanted.add(sheet)
    for (const each of part.imports ?? []) add(each)
  }
  add('index.html')
  add(page)
  const fonts = Object.values(parts).filter(({ file }) => /^inter-latin-wght/.test(file))
  const files = [
    ...[...wanted].map((file) => `${file}.br`),
    ...fonts.map(({ file }) => file),
    'index.html.br',
    'theme.js.br',
  ]
  return files.reduce((sum, file) => sum + statSync(join(builtUi, file)).size, 0)
}

test.runIf(chromiumPath)('weight: the overview loads at most 170 kB, every page at most 250 kB', () => {
  const parts = JSON.parse(readFileSync(join(builtUi, '.vite', 'manifest.json'), 'utf8')) as Record<string, Part>
  const pages = parts['index.html']?.dynamicImports ?? []
  expect(pages.length).toBeGreaterThan(3)
  const heavy = pages.flatMap((page) => {
    const limit = page.includes('OverviewPage') ? 170 : 250
    const weight = Math.ceil(weightOf(parts, page) / kB)
    return weight > limit ? [`${page}: ${weight} kB`] : []
  })
  expect(heavy).toEqual([])
})
