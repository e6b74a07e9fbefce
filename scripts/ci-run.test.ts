import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../test/support/folders.ts'

const root = join(import.meta.dirname, '..')
const passed = `{"success":true,"testResults":[{"name":"a","status":"passed","assertionResults":[{"status":"passed","fullName":"b"}]}]}`

/** Runs `.ci/run` where npm is this shell script, with so many seconds for all of it. */
function runCi(npm: string, seconds: number): { code: number | null; lines: string[] } {
  const folder = ownFolder()
  for (const made of ['scripts', 'test/faults', 'test/release', 'node_modules/.bin'])
    mkdirSync(join(folder, made), { recursive: true })
  for (const file of ['.ci/run', 'scripts/ci-summary.mjs']) cpSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'scripts/run.mjs'), '')
  for (const file of ['faults/a.test.ts', 'release/release.test.ts']) writeFileSync(join(folder, 'test', file), '')
  writeFileSync(join(folder, 'node_modules/.bin/npm'), `#!/bin/sh\n${npm}`)
  chmodSync(join(folder, 'node_modules/.bin/npm'), 0o755)
  const env = { HOLDFAST_CI_SECONDS: String(seconds), PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), { env, encoding: 'utf8' })
  return { code: status, lines: stdout.trimEnd().split('\n') }
}

test('.ci/run: when everything passes, the last line says how much', () => {
  const npm = `
    case "$*" in
      *check*) echo '[{"name":"types","ok":true}]' >.ci/results/checks.json ;;
      *test:faults*) echo '${passed}' >.ci/results/faults.json ;;
      *test:package*) echo '${passed}' >.ci/results/package.json ;;
      *) echo '${passed}' >.ci/results/suite.json ;;
    esac`
  const { code, lines } = runCi(npm, 600)
  expect([code, lines.at(-1)]).toEqual([0, '4 passed, 0 failed'])
  expect(lines.filter((line) => line.includes('LEFT OUT'))).toEqual([])
})

test('.ci/run: a suite that hangs is a failure, and what it leaves no time for is said to be left out', () => {
  const npm = `
    case "$*" in
      *check*) echo '[{"name":"types","ok":true}]' >.ci/results/checks.json ;;
      *) exec sleep 600 ;;
    esac`
  const { code, lines } = runCi(npm, 12)
  expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed'])
  expect(lines.at(-2)).toBe('NOT EVERYTHING WAS TESTED: faults, package did not run, see above.')
  expect(lines).toContainEqual(expect.stringMatching(/^faults: LEFT OUT\. \d+ s had passed/))
})
