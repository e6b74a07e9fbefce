import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { hasModule, runPython } from '../support/programs/python.ts'
import { clientBench } from './client-bench.ts'

describe.skipIf(!hasModule('hvac'))('hvac', () => {
  eachEngine((engine) => {
    test('snapshots can be taken, restored, restored by force and scheduled', async () => {
      const { app, directory: folder } = await clientBench(engine)
      const facts = { url: app.url, token: app.rootToken, folder }
      expect(await runPython(join(import.meta.dirname, 'hvac-snapshots.py'), facts)).toBe('ok\n')
    })
  })
})
