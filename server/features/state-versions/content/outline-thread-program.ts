import { type MessagePort, parentPort } from 'node:worker_threads'
import { type Finding, Outline } from './content-learning.ts'
import type { Progress } from './outline-thread.ts'

parentPort?.on('message', (port: MessagePort) => {
  const outline = new Outline()
  port.on('message', (piece: Uint8Array | 'end') => {
    tell(port, () => {
      if (piece === 'end') return { finding: alone(outline.end()) }
      outline.push(piece)
      return { read: piece.length }
    })
  })
})

function tell(port: MessagePort, work: () => Progress): void {
  try {
    port.postMessage(work())
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    port.postMessage({ problem } satisfies Progress)
    port.close()
  }
}

/** With a summary in memory of its own: all the memory it lies in would be copied otherwise. */
const alone = (finding: Finding): Finding =>
  finding.ok ? { ok: true, facts: { ...finding.facts, summary: new Uint8Array(finding.facts.summary) } } : finding
