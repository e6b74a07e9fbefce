import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The local links of these pages that lead nowhere. */
function brokenLinks(pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
    const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '')
    const local = targets.filter((target) => !/^[a-z]+:/.test(target))
    const broken = local.filter((target) => !existsSync(join(root, dirname(page), target)))
    return broken.map((target) => `${page}: ${target}`)
  })
}

test.each(['*.md', 'docs/**/*.md', 'changelog/*.md'])('%s: local links lead somewhere', (pattern) => {
  const pages = globSync(pattern, { cwd: root })
  expect(pages).not.toEqual([])
  expect(brokenLinks(pages)).toEqual([])
})
