import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a module in a thread of its own. Threads do not inherit the process's cache of compiled code, and stripping
 * types again takes more memory than most work does, so the thread is told where the cache is.
 */
export function startThread(program: URL, options: Omit<WorkerOptions, 'eval'>): Worker {
  const cache = getCompileCacheDir()
  if (cache === undefined) return new Worker(program, options)
  // Node.js reports the subfolder of its own version; the folder above it is what has to be passed on.
  const [folder, url] = [dirname(cache), program.href].map((text) => JSON.stringify(text))
  return new Worker(`require('node:module').enableCompileCache(${folder}); import(${url})`, { ...options, eval: true })
}
