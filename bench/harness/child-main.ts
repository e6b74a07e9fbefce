import type { Serve } from './child-server.ts'

/** Runs a bench server for the process that forked this one, and reports its resource use. */

process.on('message', (message: 'usage' | { options: unknown }) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
  } else void start(message.options)
})
process.on('disconnect', () => process.exit(0))

async function start(options: unknown): Promise<void> {
  const { serve } = (await import(process.argv[2] ?? '')) as { serve: Serve<unknown> }
  process.send?.(await serve(options))
}
