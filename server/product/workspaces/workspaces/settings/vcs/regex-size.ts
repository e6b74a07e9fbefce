/** Steps a compiled expression may have, roughly; nested counts such as `(a{99}){99}` multiply. */
const maxSteps = 2_000

type Reading = { readonly sums: number[]; last: number }

/**
 * True if an expression stays small when its counted repetitions are expanded, as compiling does. This is only an
 * estimate: whether the expression is valid is decided by the compiler.
 */
export function isSmallExpression(expression: string): boolean {
  const reading: Reading = { sums: [0], last: 0 }
  let at = 0
  while (at < expression.length) {
    at = step(expression, at, reading)
    if (reading.sums.some((sum) => sum > maxSteps)) return false
  }
  return reading.sums.reduce((all, sum) => all + sum, 0) <= maxSteps
}

/** Reads one atom, group end or count; returns where to continue. */
function step(expression: string, at: number, reading: Reading): number {
  const char = expression[at]
  if (char === '(') {
    reading.sums.push(0)
    return at + 1
  }
  if (char === ')') {
    reading.last = Math.max(1, reading.sums.length > 1 ? (reading.sums.pop() ?? 1) : 1)
    return addSize(reading, reading.last, at + 1)
  }
  const counted = char === '{' ? /^\{(\d{1,5})(?:,(\d{0,5}))?\}/.exec(expression.slice(at, at + 16)) : null
  if (counted) {
    const times = Math.max(1, Number(counted[1]), Number(counted[2] ?? 0))
    const more = reading.last * (times - 1)
    reading.last += more
    return addSize(reading, more, at + counted[0].length)
  }
  reading.last = 1
  return addSize(reading, 1, atomEnd(expression, at))
}

function addSize(reading: Reading, size: number, next: number): number {
  const top = reading.sums.length - 1
  reading.sums[top] = (reading.sums[top] ?? 0) + size
  return next
}

/** Escapes such as `\x{10FFFF}` and classes such as `[{}]` are one atom; braces inside them are not counts. */
function atomEnd(expression: string, at: number): number {
  const rest = expression.slice(at, at + 256)
  const atom = /^\\(?:[pPx]\{[^}]*\}|.)|^\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\]/s.exec(rest)
  return at + (atom ? atom[0].length : 1)
}
