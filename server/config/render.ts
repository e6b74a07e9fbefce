import type { EffectiveSetting } from './load.ts'
import { defaultText, type Mode, namedSettings } from './setting.ts'
import { settings } from './settings.ts'
import type { Problem } from './sources.ts'

/** All problems as lines for people: place, fault, remedy. */
export function renderProblems(problems: readonly Problem[]): string {
  const width = Math.min(40, Math.max(...problems.map((problem) => problem.where.length)))
  const lines = problems.map(
    ({ where, text, fix }) => `  ${where.padEnd(width)}  ${text}.\n  ${' '.repeat(width)}  ${fix}`,
  )
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
  return `The configuration has ${count}:\n\n${lines.join('\n')}\n`
}

/** The settings that count, one per line, with the place each came from. */
export function renderEffective(effective: readonly EffectiveSetting[]): string {
  const width = Math.max(...effective.map(({ key }) => key.length))
  return effective
    .map(({ key, shown, where }) => `  ${key.padEnd(width)}  ${shown}${where === 'default' ? '' : `  (${where})`}`)
    .join('\n')
}

/** The flags of a mode, for `--help`. */
export function renderFlags(mode: Mode): string {
  const flags = namedSettings(settings).filter(({ flag, setting }) => flag && (setting.onlyMode ?? mode) === mode)
  const lines = flags.map(({ flag, setting }) => {
    const fallback = defaultText(setting, mode) ?? setting.otherwise
    return `  ${flag} <${setting.kind.name}>\n      ${setting.about}${fallback ? ` Default: ${fallback}.` : ''}`
  })
  return ['  --config <path>\n      YAML file with settings.', ...lines].join('\n').replaceAll('`', '')
}
