import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a module in a thread of its own. A thread does not know of the process's cache of compiled code, and stripping
 * types anew takes more memory than most work, so it is told where the cache is.
 */
export function startThread(program: URL, options: Omit<WorkerOptions, 'eval'>): Worker {
  const cache = getCompileCacheDir()
  if (cache === undefined) return new Worker(program, options)
  // The folder named is that of this version of Node.js below the one that was asked for.
  const [folder, url] = [dirname(cache), program.href].map((text) => JSON.stringify(text))
  return new Worker(`require('node:module').enableCompileCache(${folder}); import(${url})`, { ...options, eval: true })
}
