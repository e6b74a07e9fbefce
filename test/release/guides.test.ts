import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ROOT } from '../../scripts/setup/root.mjs'
import { pathOf, preparedPlace } from './guide-place.ts'
import { type Block, blocksIn, isAsShown, isForShell, stepsOf, translated } from './guide-text.ts'
import { guides, prelude, skipped } from './guides.ts'

const pages = globSync(['*.md', 'docs/*.md'], { cwd: ROOT })
const blocksOf = (page: string): Block[] => blocksIn(readFileSync(join(ROOT, page), 'utf8'))

const isSkipped = (page: string, { text }: Block): boolean =>
  skipped.some((each) => each.page === page && text.startsWith(each.block) && !(each.unless && pathOf(each.unless)))

test('every block of code has a language, so that it is known which ones are for the shell', () => {
  const unknown = pages.flatMap((page) => blocksOf(page).filter(({ language }) => language === ''))
  expect(unknown).toEqual([])
})

test('what is said about blocks is said about one that is there', () => {
  const named = [
    ...skipped.map(({ page, block }) => [page, block] as const),
    ...Object.entries(guides).flatMap(([page, { files = {}, before = {} }]) =>
      [...Object.keys(files), ...Object.keys(before)].map((block) => [page, block] as const),
    ),
  ]
  const found = named.map(([page, begin]) => [
    page,
    begin,
    blocksOf(page).filter(({ text }) => text.startsWith(begin)).length,
  ])
  expect(found).toEqual(named.map(([page, begin]) => [page, begin, 1]))
})

test('an output is compared with what the page shows', () => {
  expect(isAsShown('{"a":"x","b":1,"c":2}\n', '{"a":"…", … }')).toBe(true)
  expect(isAsShown('{"a":"x"}\n{"b":1}', '{"a":"…"}')).toBe(false)
  expect(isAsShown('id: 1\nid: 2', 'id: …\nid: …')).toBe(true)
  expect(isAsShown('2 lines.', '3 lines.')).toBe(false)
})

const withCommands = pages.filter((page) =>
  blocksOf(page).some((block) => isForShell(block) && !isSkipped(page, block)),
)

test.skipIf(!pathOf('curl')).for(withCommands)(
  '%s: its commands work, and print what it shows',
  { timeout: 300_000 },
  async (page, { skip }) => {
    const guide = guides[page] ?? {}
    if (guide.postgres && !inject('postgresUrl')) skip('needs PostgreSQL')
    const place = await preparedPlace(guide)
    for (const [begin, file] of Object.entries(guide.files ?? {})) {
      const { text = '' } = blocksOf(page).find((block) => block.text.startsWith(begin)) ?? {}
      place.write(file, `${text}\n`)
    }
    const blocks = blocksOf(page).filter((block) => isForShell(block) && !isSkipped(page, block))
    const steps = blocks.flatMap((block) => {
      const [, before = ''] = Object.entries(guide.before ?? {}).find(([begin]) => block.text.startsWith(begin)) ?? []
      return stepsOf(block).map((step, index) => ({ ...step, before: index === 0 ? before : '' }))
    })
    const script = steps.map(({ before, commands }, index) => {
      const own = translated(commands, guide.words ?? {})
      return `{ :\n${before}\n} >$OUTPUT/before-${index} 2>&1\n{\n${own}\n} >$OUTPUT/${index} 2>$OUTPUT/errors-${index}\nlast=$OUTPUT/${index}`
    })
    const { code, textOf } = await place.run([prelude, guide.first ?? '', ...script].join('\n'))
    const told = steps.map(({ commands }, index) => ({
      commands,
      before: textOf(`before-${index}`),
      output: textOf(`${index}`),
      errors: textOf(`errors-${index}`),
    }))
    if (code !== 0) expect(told.findLast(({ before }) => before !== undefined)).toBe('commands that work')
    for (const [index, { shown }] of steps.entries()) {
      const wanted = translated(shown, guide.shown ?? {})
      if (shown !== '' && !isAsShown(told[index]?.output ?? '', wanted)) expect(told[index]?.output).toBe(wanted)
    }
  },
)
