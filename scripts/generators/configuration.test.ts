import { expect, test } from 'vitest'
import { namedSettings } from '../../server/config/setting.ts'
import { listenerSettings, settings } from '../../server/config/settings.ts'
import { renderConfigurationDocs } from './configuration.ts'

test('documentation: every setting has a row with its variable and its flag', () => {
  const rows = renderConfigurationDocs().split('\n')
  for (const { variable, flag, setting } of namedSettings(settings)) {
    const row = rows.find((line) => line.includes(`\`${variable ?? flag}\``) && line.startsWith('|'))
    expect(row).toContain(setting.about)
    if (flag) expect(row).toContain(`\`${flag}\``)
  }
})

test('documentation: every table row has six columns, even if a value contains a bar', () => {
  const rows = renderConfigurationDocs()
    .split('\n')
    .filter((line) => line.startsWith('| '))
  expect(rows.length).toBeGreaterThan(namedSettings(settings).length + namedSettings(listenerSettings).length)
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6)
})
