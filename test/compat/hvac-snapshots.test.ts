import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { testApp } from '../support/test-app.ts'

/** A Python that has the client; `HOLDFAST_COMPAT_PYTHON` may name another. */
const python = process.env.HOLDFAST_COMPAT_PYTHON ?? 'python3'

function hasClient(): boolean {
  try {
    execFileSync(python, ['-c', 'import hvac'], { stdio: 'ignore' })
    return true
  } catch (thrown) {
    if (thrown instanceof Error) return false
    throw thrown
  }
}

describe.skipIf(!hasClient())('hvac', () => {
  eachEngine((engine) => {
    test('snapshots: taken, restored, by force too, and on a schedule', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const app = await testApp({ engine })
      onTestFinished(() => app.close())
      const facts = { url: app.url, token: app.rootToken, folder }
      const script = join(import.meta.dirname, 'hvac-snapshots.py')
      const env = { ...process.env, HOLDFAST_FACTS: JSON.stringify(facts) }
      const { stdout } = await promisify(execFile)(python, [script], { env })
      expect(stdout).toBe('ok\n')
    })
  })
})
