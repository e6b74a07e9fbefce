import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { LayerFailure, namespaceLayer } from './namespace-layer.ts'
import { processLayer } from './process-layer.ts'
import { isAlive, listProcesses } from './processes.ts'
import type { Layer, RunningStep, Step, StepEnd } from './sandbox.ts'
import { giveTo, slotUser } from './slot-users.ts'

const isLinux = process.platform === 'linux'
const user = slotUser(7, 0)

const makers = {
  process: async (_folder: string, _ports: readonly number[] = []) => await processLayer(user),
  namespace: async (folder: string, loopbackPorts: readonly number[] = []) =>
    await namespaceLayer({ user, privateFolder: folder, loopbackPorts, allowsMetadata: false }),
}

async function works(make: (folder: string) => Promise<Layer>): Promise<boolean> {
  try {
    await make('/tmp')
    return true
  } catch (error) {
    if (error instanceof LayerFailure) return false
    throw error
  }
}

type Ran = StepEnd & { readonly out: string; readonly err: string }

async function folderFor(): Promise<string> {
  const folder = ownFolder()
  chmodSync(folder, 0o711)
  const work = join(folder, 'work')
  mkdirSync(work, { mode: 0o700 })
  await giveTo(user, work)
  return folder
}

async function begin(
  layer: Layer,
  folder: string,
  script: string,
  more: Partial<Step> = {},
): Promise<{ running: RunningStep; text: { out: string; err: string } }> {
  const text = { out: '', err: '' }
  const work = join(folder, 'work')
  const seen = layer.seenFolder(work, 'run-1')
  const running = await layer.start({
    command: ['/bin/sh', '-c', script],
    directory: seen,
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin', SEEN: seen },
    mounts: [{ from: work, to: seen, isWritable: true }],
    workFolder: work,
    hasNetwork: true,
    limits: { seconds: 30, memoryBytes: 2 ** 30, diskBytes: 2 ** 30 },
    output: (bytes, stream) => {
      text[stream] += bytes
    },
    ...more,
  })
  return { running, text }
}

async function run(layer: Layer, folder: string, script: string, more: Partial<Step> = {}): Promise<Ran> {
  const { running, text } = await begin(layer, folder, script, more)
  return { ...(await running.ended), ...text }
}

const hasNamespaces = isLinux && (await works((folder) => makers.namespace(folder)))

for (const name of ['process', 'namespace'] as const) {
  describe.skipIf(process.platform === 'win32' || (name === 'namespace' && !hasNamespaces))(`layer ${name}`, () => {
    const make = makers[name]

    it('tells output and exit code, and gives nothing but the environment of the step', async () => {
      const folder = await folderFor()
      const result = await run(await make(folder), folder, 'env | sort; echo problem >&2; exit 7')
      expect(result).toMatchObject({ exitCode: 7, stopped: undefined })
      expect(result.out + result.err).toContain('problem\n')
      const names = result.out
        .replace('problem\n', '')
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
      expect(names.filter((each) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(each ?? ''))).toEqual(['PATH', 'SEEN'])
    })

    it('runs in the work folder, which keeps what is written', async () => {
      const folder = await folderFor()
      const result = await run(await make(folder), folder, 'pwd; echo kept > here')
      expect(result.out.trim()).toBe((await make(folder)).seenFolder(join(folder, 'work'), 'run-1'))
      expect(readFileSync(join(folder, 'work', 'here'), 'utf8')).toBe('kept\n')
    })

    it('interrupts the program alone, and only once', async () => {
      const folder = await folderFor()
      const script = `(trap 'echo child >> got; exit' INT; touch ready; while :; do sleep 0.02; done) &
        trap 'echo tool >> got; sleep 0.2; exit 3' INT; while :; do sleep 0.02; done`
      const { running } = await begin(await make(folder), folder, script)
      await expect.poll(() => spawnSync('test', ['-e', join(folder, 'work', 'ready')]).status).toBe(0)
      running.interrupt()
      running.interrupt()
      expect(await running.ended).toMatchObject({ exitCode: 3, stopped: 'interrupt' })
      expect(readFileSync(join(folder, 'work', 'got'), 'utf8')).toBe('tool\n')
    })

    it('kills what ignores the interrupt, with all its children', async () => {
      const folder = await folderFor()
      const { running } = await begin(
        await make(folder),
        folder,
        `trap '' INT; touch ready; sleep 4242 & sleep 4242; sleep 4242`,
      )
      await expect.poll(() => spawnSync('test', ['-e', join(folder, 'work', 'ready')]).status).toBe(0)
      running.interrupt()
      expect(isAlive(running.pid)).toBe(true)
      running.kill('kill')
      expect(await running.ended).toMatchObject({ stopped: 'kill' })
      expect(sleepers('4242')).toEqual([])
    })

    it('leaves nothing of a step that has ended', async () => {
      const folder = await folderFor()
      const result = await run(await make(folder), folder, 'sleep 4343 & sleep 4343 & exit 0')
      expect(result.exitCode).toBe(0)
      expect(sleepers('4343')).toEqual([])
    })

    it.skipIf(name === 'process' && !user)('leaves nothing of what has left its group either', async () => {
      const folder = await folderFor()
      await run(await make(folder), folder, '(setsid sleep 4444 >/dev/null 2>&1 &) ; sleep 0.1')
      expect(sleepers('4444')).toEqual([])
    })

    it('ends at its time limit', async () => {
      const folder = await folderFor()
      const limits = { seconds: 0.3, memoryBytes: 2 ** 30, diskBytes: 2 ** 30 }
      expect(await run(await make(folder), folder, 'sleep 4545', { limits })).toMatchObject({ stopped: 'timed-out' })
      expect(sleepers('4545')).toEqual([])
    })

    it('ends above its disk', async () => {
      const folder = await folderFor()
      const limits = { seconds: 30, memoryBytes: 2 ** 30, diskBytes: 2 ** 20 }
      const script = 'for i in 1 2 3; do head -c 600000 /dev/zero > f$i; done; sleep 30'
      expect(await run(await make(folder), folder, script, { limits })).toMatchObject({ stopped: 'output-too-large' })
    })

    it.skipIf(!isLinux)('ends above its memory, which is that of all its processes', async () => {
      const folder = await folderFor()
      const limits = { seconds: 30, memoryBytes: 40 * 2 ** 20, diskBytes: 2 ** 30 }
      const one = '(head -c 9000000 /dev/zero; sleep 30) | sort >/dev/null'
      const script = `for i in 1 2 3 4 5 6; do (${one}) & done; wait`
      expect(await run(await make(folder), folder, script, { limits })).toMatchObject({ stopped: 'out-of-memory' })
    })

    it.skipIf(!isLinux)('dies with its runner', async () => {
      const folder = await folderFor()
      const program = join(import.meta.dirname, '..', '..', 'test', 'support', 'programs', 'sandbox-holder.ts')
      const holder = spawn(process.execPath, [program, name, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(holder.stdout, 'data')
      await expect.poll(() => sleepers('4646').length).toBeGreaterThan(0)
      holder.kill('SIGKILL')
      await expect.poll(() => sleepers('4646')).toEqual([])
    })

    it.skipIf(!user)('gives each slot a user of its own', async () => {
      const folder = await folderFor()
      expect((await run(await make(folder), folder, 'id -u')).out.trim()).toBe(String(user?.uid))
    })
  })
}

describe.skipIf(!hasNamespaces)('layer namespace: what a step cannot reach', () => {
  it('files of the runner, and anything outside of its own folders', async () => {
    const folder = await folderFor()
    writeFileSync(join(folder, 'secret'), 'of the runner', { mode: 0o644 })
    const script = `cat ${folder}/secret; ls /root /home /work /var; touch /usr/x; touch /evil; ls /holdfast/work`
    const result = await run(await makers.namespace(folder), folder, script)
    expect(result.out).toMatch(/^run-1$/m)
    expect(result.out).not.toContain('of the runner')
  })

  it('other processes', async () => {
    const folder = await folderFor()
    const result = await run(await makers.namespace(folder), folder, 'ls -d /proc/[0-9]*; kill -0 -1 2>&1; echo $$')
    expect(result.out).toContain('/proc/1\n')
    expect(result.out.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(4)
  })

  it('the loopback interface, but for the ports of the server, and addresses of the link', async ({ skip }) => {
    const folder = await folderFor()
    const servers = [0, 1].map(() => createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1'))
    await Promise.all(servers.map((server) => once(server, 'listening')))
    const [open = 0, closed = 0] = servers.map((server) => (server.address() as { port: number }).port)
    const layer = await makers.namespace(folder, [open])
    if (layer.isolation.network !== 'in-force') skip('pasta does not work here')
    const ask = (address: string) => `timeout 3 bash -c 'exec 3<>/dev/tcp/${address} && cat <&3' || echo refused`
    const script = [ask(`127.0.0.1/${open}`), ask(`127.0.0.1/${closed}`), ask('169.254.169.254/80')].join('; ')
    const result = await run(layer, folder, script)
    for (const server of servers) server.close()
    expect(result.out.replace(/^bash: .*\n/gm, '')).toBe('hello\nrefused\nrefused\n')
    expect(layer.isolation.metadata).toBe('in-force')
  })

  it('any network, if it has none', async () => {
    const folder = await folderFor()
    const result = await run(await makers.namespace(folder), folder, 'cat /proc/net/dev | grep -c :', {
      hasNetwork: false,
    })
    expect(result.out.trim()).toBe('1')
  })

  it('the capabilities of root', async () => {
    const folder = await folderFor()
    const result = await run(
      await makers.namespace(folder),
      folder,
      'grep CapEff /proc/self/status; unshare -r true && echo nested',
    )
    expect(result.out).toMatch(/^CapEff:\s+0{16}$/m)
  })
})

/** Processes that sleep for a time that nobody else sleeps for. */
function sleepers(seconds: string): number[] {
  return listProcesses()
    .filter(({ pid, isZombie }) => !isZombie && commandLine(pid) === `sleep ${seconds}`)
    .map(({ pid }) => pid)
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}
