import { statfs } from 'node:fs/promises'
import { arch, cpus, freemem, hostname, loadavg, platform, release, totalmem, type, uptime, version } from 'node:os'
import type { Instant } from '../../../kernel/clock.ts'
import { toIsoNano } from '../../../kernel/clock.ts'

/** What a host is and has, in the words of the family. */
export type HostInfo = Readonly<Record<'cpu' | 'cpu_times' | 'disk', object[]>> &
  Readonly<Record<'host' | 'memory', object>> & { readonly timestamp: string }

/** Describes the machine of this process, and the disk that a folder is on. */
export async function describeHost(folder: string, now: Instant): Promise<HostInfo> {
  const [total, available] = [totalmem(), freemem()]
  const up = Math.floor(uptime())
  return {
    timestamp: toIsoNano(now),
    cpu: cpus().map(({ model, speed }, index) => ({ cpu: index, modelName: model, mhz: speed })),
    cpu_times: cpus().map(({ times }, index) => ({
      cpu: `cpu${index}`,
      user: times.user / 1_000,
      system: times.sys / 1_000,
      idle: times.idle / 1_000,
      nice: times.nice / 1_000,
      irq: times.irq / 1_000,
    })),
    disk: [await describeDisk(folder)],
    host: {
      hostname: hostname(),
      uptime: up,
      bootTime: Math.floor(now / 1_000) - up,
      os: platform(),
      platform: type(),
      platformVersion: version(),
      kernelVersion: release(),
      kernelArch: arch(),
      load: loadavg(),
    },
    memory: { total, available, used: total - available, usedPercent: percent(total - available, total) },
  }
}

async function describeDisk(folder: string): Promise<object> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(folder)
  const [total, used] = [blocks * bsize, (blocks - bfree) * bsize]
  const inodes = { inodesTotal: files, inodesUsed: files - ffree, inodesFree: ffree }
  const free = bavail * bsize
  return { path: folder, total, free, used, usedPercent: percent(used, used + free), ...inodes }
}

const percent = (part: number, whole: number): number => (whole > 0 ? (part / whole) * 100 : 0)
