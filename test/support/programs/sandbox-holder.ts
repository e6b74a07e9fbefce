// Starts a step in a layer and waits: `node sandbox-holder.ts <layer> <folder>`. Tests kill it.
import { join } from 'node:path'
import { namespaceLayer } from '../../../runner/sandbox/namespace-layer.ts'
import { processLayer } from '../../../runner/sandbox/process-layer.ts'
import { slotUser } from '../../../runner/sandbox/slot-users.ts'

const [name, folder = ''] = process.argv.slice(2)
const user = slotUser(7, 0)
const layer =
  name === 'namespace'
    ? await namespaceLayer({ user, privateFolder: folder, loopbackPorts: [], allowsMetadata: false })
    : await processLayer(user)
const work = join(folder, 'work')
const seen = layer.seenFolder(work, 'run-1')
await layer.start({
  command: ['/bin/sh', '-c', 'echo started; exec sleep 4646'],
  directory: seen,
  environment: { PATH: '/usr/bin:/bin' },
  mounts: [{ from: work, to: seen, isWritable: true }],
  workFolder: work,
  hasNetwork: true,
  limits: { seconds: 60, memoryBytes: 2 ** 30, diskBytes: 2 ** 30 },
  output: (bytes) => process.stdout.write(bytes),
})
