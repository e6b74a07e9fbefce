import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { hasModule, runPython } from '../support/programs/python.ts'
import { testApp } from '../support/test-app.ts'

describe.skipIf(!hasModule('hvac'))('hvac', () => {
  eachEngine((engine) => {
    test('snapshots: taken, restored, by force too, and on a schedule', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const app = await testApp({ engine })
      onTestFinished(() => app.close())
      const facts = { url: app.url, token: app.rootToken, folder }
      expect(await runPython(join(import.meta.dirname, 'hvac-snapshots.py'), facts)).toBe('ok\n')
    })
  })
})
