import type { Command } from 'commander'
import { type ChainHead, proveWith } from '../../server/crypto/line-chains/line-chain.ts'
import {
  type BreakReason,
  type ChainReport,
  type VerifyOptions,
  verifyFiles,
} from '../../server/crypto/line-chains/line-chain-verify.ts'
import { secret } from '../../server/kernel/secret.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { renderData } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'

type VerifyFlags = ClientFlags & { device?: string }

const breakMeanings: Readonly<Record<BreakReason, string>> = {
  changed: 'a line was changed',
  gap: 'lines before it are missing',
  unlinked: 'it does not follow the line before it',
  repeated: 'it was written again or moved',
  'cut-off': 'the end is missing',
  unproven: 'it was not written by this device',
}

/** `holdfast audit verify`: finds lines of audit logs that were changed, removed or forged. */
export function addAudit(program: Command, io: Io): void {
  const audit = program.command('audit').description('check audit logs')
  withClientFlags(audit.command('verify'))
    .description('check that no line of an audit log was changed or removed; exits with 2 if one was')
    .argument('<files...>', 'the files of one device, oldest first')
    .option(
      '--device <path>',
      'get the key and the end of the chain of this device from the server, which also finds forged logs',
    )
    .action(async (files: string[], flags: VerifyFlags) => {
      const report = await verifyLogs(
        files,
        flags.device === undefined ? {} : await fetchDeviceProof(io, flags, flags.device),
      )
      const format = formatFor(io, flags)
      io.out(format === 'table' ? summary(report) : renderData(report, format))
      if (!report.ok) throw new CliFailure(describeBreak(report), 2)
      if (provesNothing(report)) throw new CliFailure('No line is part of a chain, so nothing could be checked.', 2)
    })
}

async function verifyLogs(files: readonly string[], options: VerifyOptions): Promise<ChainReport> {
  try {
    return await verifyFiles(files, options)
  } catch (thrown) {
    const { code, path = files[0] ?? '', message } = thrown as NodeJS.ErrnoException
    throw code ? fileFailure(path, 'read', thrown) : new CliFailure(message)
  }
}

async function fetchDeviceProof(io: Io, flags: VerifyFlags, device: string): Promise<VerifyOptions> {
  const path = `/v1/sys/audit-chain/${device.replace(/^\/+|\/+$/g, '')}`
  const { body } = await clientFor(io, flags).call({ method: 'GET', path })
  const { key, heads } = (body as { data: { key: string; heads: ChainHead[] } }).data
  return { prove: proveWith(secret(Buffer.from(key, 'base64'))), expect: heads }
}

/** True if no line was written by an audit device: it is some other file, or every chain was removed from it. */
const provesNothing = ({ lines, chains }: ChainReport): boolean => lines > 0 && chains.length === 0

function summary(report: ChainReport): string {
  const { lines, foreignLines, chains, proven, firstBreak } = report
  const ok = report.ok && !provesNothing(report)
  const earlier = chains.filter(({ continued }) => continued).length
  const notes = [
    `${firstBreak && firstBreak.line > 0 ? 'Up to the first break: ' : ''}${lines} lines, ${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}.`,
    foreignLines > 0
      ? `${foreignLines} lines are not part of a chain: something else wrote them, or a crash cut them off.`
      : '',
    earlier > 0 ? `${earlier} of the chains began in an earlier file; give that file first to check it too.` : '',
    ok && !proven ? 'Forged logs and a missing end are found only with --device.' : '',
    ok ? 'Nothing was changed or removed.' : '',
  ]
  return `${notes.filter(Boolean).join('\n')}\n`
}

function describeBreak({ firstBreak }: ChainReport): string {
  if (!firstBreak) return 'The log is not consistent.'
  const { file, firstLine, line, reason, chain, seq } = firstBreak
  const lines = firstLine === line ? `${line}` : `${firstLine}-${line}`
  const place = line === 0 ? file : `${file}:${lines}`
  return `${place}: ${breakMeanings[reason]} (record ${seq} of chain ${chain}).`
}
