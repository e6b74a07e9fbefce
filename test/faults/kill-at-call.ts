// Loaded before a program: kills the process at a call of a function of `node:fs`, in whichever thread. HOLDFAST_KILL_AT says
// which, and whether before or after it: `renameSync:1:before` is the moment before the first rename of that thread.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [name = '', wanted = '1', side = 'before'] = (process.env.HOLDFAST_KILL_AT ?? '').split(':')
const die = (): boolean => process.kill(process.pid, 'SIGKILL')

const calls = fs as unknown as Record<string, (...parameters: unknown[]) => unknown>
const original = calls[name]
let count = 0
if (original) {
  calls[name] = (...parameters) => {
    count += 1
    if (count === Number(wanted) && side === 'before') die()
    const result = original(...parameters)
    if (count === Number(wanted) && side === 'after') die()
    return result
  }
  syncBuiltinESMExports()
}
