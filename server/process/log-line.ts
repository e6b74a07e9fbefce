import { styleText } from 'node:util'

type Style = 'gray' | 'cyan' | 'yellow' | 'red'

const styles: Readonly<Record<string, Style>> = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' }

/** Turns a JSON log line into one for people: time, level, node and process, message, fields, and a stack below. */
export function renderLogLine(line: string, colour: boolean): string {
  const { time, level, node, pid, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const paint = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const severity = String(level)
  const stacks: string[] = []
  const shown = Object.entries(fields).map(([name, value]) => {
    const error = value as { message?: string; stack?: string } | null
    if (typeof error?.stack === 'string') stacks.push(error.stack)
    return `${paint('gray', `${name}=`)}${typeof error?.stack === 'string' ? quoted(error.message ?? '') : quoted(value)}`
  })
  const head = [
    paint('gray', String(time).slice(11, 19)),
    paint(styles[severity] ?? 'gray', severity.padEnd(5)),
    ...(node === undefined ? [] : [paint('gray', `${node}[${pid}]`)]),
    String(msg),
    ...shown,
  ].join(' ')
  return `${[head, ...stacks].join('\n')}\n`
}

const quoted = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? String(value))
