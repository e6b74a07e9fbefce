import { type MessagePort, parentPort } from 'node:worker_threads'
import { type Finding, StateOutline } from './content-inspection.ts'
import type { Progress } from './outline-thread.ts'

parentPort?.on('message', (port: MessagePort) => {
  const outline = new StateOutline()
  port.on('message', (group: readonly Uint8Array[] | 'end') => {
    postResult(port, () => {
      if (group === 'end') return { finding: withOwnBuffer(outline.end()) }
      for (const piece of group) outline.push(piece)
      return { read: group.reduce((sum, { length }) => sum + length, 0) }
    })
  })
})

function postResult(port: MessagePort, work: () => Progress): void {
  try {
    port.postMessage(work())
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    port.postMessage({ problem } satisfies Progress)
    port.close()
  }
}

/** Copies the summary into memory of its own: otherwise the whole buffer around it would be sent. */
const withOwnBuffer = (finding: Finding): Finding =>
  finding.ok ? { ok: true, facts: { ...finding.facts, summary: new Uint8Array(finding.facts.summary) } } : finding
