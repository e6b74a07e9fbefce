const FRAMES = ['|', '/', '-', '\\']

/**
 * A progress line: redrawn in place on a terminal, repeated now and then in a log.
 * @param {string} what
 * @param {() => string} detail how far it has come
 * @param {Pick<NodeJS.WriteStream, 'write' | 'isTTY'>} [out]
 * @returns {{ stop: (result: string) => void }}
 */
export function showProgress(what, detail, out = process.stderr) {
  const began = performance.now()
  const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`
  let frame = 0
  const draw = () => out.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${what}: ${detail()}, ${seconds()}`)
  const log = () => out.write(`${what}: ${detail()}, ${seconds()}\n`)
  if (!out.isTTY) out.write(`${what}\n`)
  const timer = setInterval(out.isTTY ? draw : log, out.isTTY ? 120 : 15_000)
  return {
    stop: (result) => {
      clearInterval(timer)
      out.write(out.isTTY ? '\r\x1b[2K' : '')
      out.write(`${result} (${seconds()})\n`)
    },
  }
}
