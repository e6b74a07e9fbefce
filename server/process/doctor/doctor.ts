import { styleText } from 'node:util'
import { type Mode, renderProblems } from '../../config/index.ts'
import { textOf } from '../../kernel/failure.ts'
import { examineConfig } from '../config-check.ts'
import { type ConfigWarning, configWarnings } from '../config-warnings.ts'
import { configChecks, machineChecks, withoutOpening } from './checks.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

const marks = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const

/** `holdfast doctor`: makes every check it can, and exits with 1 when something does not work. */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const { mode, loaded } = examineConfig(args)
  const configuration: Check = {
    name: 'Configuration',
    run: () =>
      loaded.ok
        ? configurationFinding(mode, configWarnings(loaded.config))
        : fail(renderProblems(loaded.problems).trimEnd(), 'Correct these first.'),
  }
  let failed = false
  const checks = loaded.ok ? await withoutOpening(loaded.config, configChecks(loaded.config)) : []
  for (const check of [...machineChecks, configuration, ...checks]) {
    const finding = await findingOf(check)
    failed ||= finding.state === 'fail'
    process.stdout.write(renderFinding(check.name, finding, process.stdout.isTTY))
  }
  return failed ? 1 : 0
}

/** Whether a valid configuration means what its author thinks. */
export function configurationFinding(mode: Mode, warnings: readonly ConfigWarning[]): Finding {
  if (warnings.length === 0) return ok(`${mode} mode`)
  const fixes = new Set(warnings.map(({ fix }) => fix))
  return warn(`${mode} mode; ${warnings.map(({ text }) => text).join('; ')}`, [...fixes].join(' '))
}

/** A check that throws is a finding too: the other checks follow all the same. */
async function findingOf(check: Check): Promise<Finding> {
  try {
    return await check.run()
  } catch (thrown) {
    return {
      state: 'fail',
      text: textOf(thrown),
      fix: 'This could not be checked. Run doctor as the user of the server.',
    }
  }
}

/** One finding as a line, with its remedy below. */
export function renderFinding(name: string, { state, text, fix }: Finding, colour: boolean): string {
  const [style, word] = marks[state]
  const mark = colour ? styleText(style, word, { validateStream: false }) : word
  return `${mark}  ${name.padEnd(20)} ${text}\n${fix ? `${' '.repeat(27)}${fix}\n` : ''}`
}
