import { expect, test } from 'vitest'
import { loadConfig, renderEffective, renderFlags } from './index.ts'
import { defaultText, namedSettings } from './setting.ts'
import { listenerSettings, settings } from './settings.ts'

const all = [...namedSettings(settings), ...namedSettings(listenerSettings)]

test.each(all.map((named) => [named.key, named] as const))(
  '%s: its written default is accepted by its own parser',
  (_key, named) => {
    for (const mode of ['dev', 'server'] as const) {
      const written = defaultText(named.setting, mode)
      if (written === undefined) expect(named.setting.otherwise).toMatch(/\w/)
      else expect(named.setting.kind.read(written)).toMatchObject({ ok: true })
    }
  },
)

test('no two settings share an environment variable', () => {
  const variables = namedSettings(settings).map(({ variable }) => variable)
  expect(new Set(variables).size).toBe(variables.length)
})

test('help: server mode does not offer the root token', () => {
  expect(renderFlags('dev')).toContain('--root-token')
  expect(renderFlags('server')).not.toContain('--root-token')
})

test('effective settings: each line names the source of its value, unless it is the default', () => {
  const loaded = loadConfig({ mode: 'dev', environment: { HOLDFAST_WORKERS: '4' } })
  const shown = loaded.ok ? renderEffective(loaded.effective) : ''
  expect(shown).toMatch(/^ {2}workers +4 {2}\(HOLDFAST_WORKERS\)$/m)
  expect(shown).toMatch(/^ {2}edition +self-hosted$/m)
})
