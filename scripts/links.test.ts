import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const withoutCode = (path: string): string => readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '')

/** The anchors that a page gets from its headings, as the places that render it make them. */
const anchorsOf = (path: string): string[] =>
  [...withoutCode(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )

const leadsSomewhere = (path: string, anchor: string): boolean =>
  existsSync(path) && (anchor === '' || !path.endsWith('.md') || anchorsOf(path).includes(anchor))

/** The local links of these pages that lead nowhere. */
function brokenLinks(pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const links = [...withoutCode(join(root, page)).matchAll(/\]\(([^)#\s]*)#?([^)\s]*)[^)]*\)/g)]
    const local = links.filter(([, target = '']) => !/^[a-z]+:/.test(target))
    const broken = local.filter(([, target = '', anchor = '']) => {
      return !leadsSomewhere(target === '' ? join(root, page) : join(root, dirname(page), target), anchor)
    })
    return broken.map(([, target = '', anchor = '']) => `${page}: ${target}#${anchor}`)
  })
}

test.each(['*.md', 'docs/**/*.md', 'changelog/*.md'])('%s: local links lead somewhere', (pattern) => {
  const pages = globSync(pattern, { cwd: root })
  expect(pages).not.toEqual([])
  expect(brokenLinks(pages)).toEqual([])
})
