// node scripts/ci-summary.mjs DIRECTORY: adds up the reports of a CI run and prints "N passed, M failed" as last line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count */
/** @typedef {{ name: string, ok: boolean }[]} Steps */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: { status: string, fullName: string }[] }} TestFile */
/** @typedef {{ success: boolean, testResults: TestFile[] }} TestReport */

/**
 * What one report says. A test file that failed before its first test, and a run that failed outside of every test,
 * count as one failure each: a report must not look green because nothing got to run.
 * @param {Steps | TestReport} report
 * @returns {Count}
 */
export function countReport(report) {
  if (Array.isArray(report)) return countSteps(report)
  /** @type {Count} */
  const count = { passed: 0, failed: 0, skipped: 0, failures: [] }
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    count.passed += file.assertionResults.filter(({ status }) => status === 'passed').length
    count.skipped += file.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed').length
    count.failures.push(...failed.map(({ fullName }) => `${file.name}: ${fullName}`))
    if (file.status === 'failed' && failed.length === 0)
      count.failures.push(`${file.name}: ${file.message || 'did not run'}`)
  }
  if (!report.success && count.failures.length === 0) count.failures.push('an error outside of every test')
  return { ...count, failed: count.failures.length }
}

/**
 * What a report file says; one that was not written completely is a failure, too.
 * @param {string} name
 * @param {string} text
 * @returns {Count}
 */
export function countText(name, text) {
  try {
    return countReport(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return countSteps([{ name: `${name}: the report is incomplete`, ok: false }])
  }
}

/**
 * @param {Steps} steps
 * @returns {Count}
 */
function countSteps(steps) {
  const failures = steps.filter(({ ok }) => !ok).map(({ name }) => name)
  return { passed: steps.length - failures.length, failed: failures.length, skipped: 0, failures }
}

/** @param {string} directory */
function main(directory) {
  const total = { passed: 0, failed: 0 }
  for (const file of readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const name = file.replace('.json', '')
    const count = countText(name, readFileSync(join(directory, file), 'utf8'))
    console.log(`${name}: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped.`)
    for (const failure of count.failures)
      console.log(`  failed: ${failure.replace(`${process.cwd()}/`, '').split('\n')[0]}`)
    total.passed += count.passed
    total.failed += count.failed
  }
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv[2] ?? '.ci/results')
