import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** The Python that is used; `HOLDFAST_COMPAT_PYTHON` may name another. */
const python = process.env.HOLDFAST_COMPAT_PYTHON ?? 'python3'

/** True if that Python exists and has the module. */
export const hasModule = (name: string): boolean =>
  spawnSync(python, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0

/** Runs a script, which gets its input as JSON in `HOLDFAST_FACTS`; returns what it printed. */
export async function runPython(script: string, facts: object): Promise<string> {
  const env = { ...process.env, HOLDFAST_FACTS: JSON.stringify(facts) }
  return (await promisify(execFile)(python, [script], { env })).stdout
}
