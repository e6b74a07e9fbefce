// node scripts/ci-summary.mjs DIRECTORY: adds up the reports of a CI run and prints "N passed, M failed" as last line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[], retried: string[], leftOut?: string }} Count */
/** @typedef {{ name: string, ok: boolean }[]} Steps */
/** @typedef {{ leftOut: string }} LeftOut */
/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} TestFile */
/** @typedef {{ success: boolean, testResults: TestFile[] }} TestReport */

/**
 * What one report says. A test file that failed before its first test, and a run that failed outside of every test,
 * count as one failure each: a report must not look green because nothing got to run. A test that passed although it has
 * messages of a failure has passed on a retry only.
 * @param {Steps | LeftOut | TestReport} report
 * @returns {Count}
 */
export function countReport(report) {
  if (Array.isArray(report)) return countSteps(report)
  if ('leftOut' in report) return { ...countSteps([]), leftOut: report.leftOut }
  const count = countSteps([])
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const passed = file.assertionResults.filter(({ status }) => status === 'passed')
    const retried = passed.filter(({ failureMessages = [] }) => failureMessages.length > 0)
    count.passed += passed.length
    count.retried.push(...retried.map(({ fullName }) => `${file.name}: ${fullName}`))
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
  return { passed: steps.length - failures.length, failed: failures.length, skipped: 0, failures, retried: [] }
}

/**
 * The lines of one report.
 * @param {string} name
 * @param {Count} count
 * @returns {string[]}
 */
function linesOf(name, count) {
  if (count.leftOut !== undefined) return [`${name}: LEFT OUT. ${count.leftOut}`]
  const shown = (/** @type {string} */ text) => text.replace(`${process.cwd()}/`, '').split('\n')[0]
  return [
    `${name}: ${count.passed} passed (${count.retried.length} on a retry), ${count.failed} failed, ${count.skipped} skipped.`,
    ...count.retried.map((test) => `  passed on a retry only: ${shown(test)}`),
    ...count.failures.map((failure) => `  failed: ${shown(failure)}`),
  ]
}

/** @param {string} directory */
function main(directory) {
  const total = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const leftOut = []
  for (const file of readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const name = file.replace('.json', '')
    const count = countText(name, readFileSync(join(directory, file), 'utf8'))
    for (const line of linesOf(name, count)) console.log(line)
    if (count.leftOut !== undefined) leftOut.push(name)
    total.passed += count.passed
    total.failed += count.failed
  }
  if (leftOut.length > 0) console.log(`NOT EVERYTHING WAS TESTED: ${leftOut.join(', ')} did not run, see above.`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv[2] ?? '.ci/results')
