import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { TlsFiles } from './config.ts'
import type { WhereOf } from './config-rules.ts'
import type { Problem } from './problem.ts'

/** Opens the TLS files once, so that a wrong pair is found before anything is started. */
export function tlsFileProblems({ certFile, keyFile }: TlsFiles, whereOf: WhereOf): Problem[] {
  const certificate = opened('tls.cert_file', certFile, whereOf, (pem) => new X509Certificate(pem))
  const key = opened('tls.key_file', keyFile, whereOf, (pem) => createPrivateKey(pem))
  const problems = [certificate, key].flatMap((result) => ('problem' in result ? [result.problem] : []))
  if ('value' in certificate && 'value' in key && !certificate.value.checkPrivateKey(key.value)) {
    const text = `the key does not belong to the certificate in ${certFile}`
    problems.push({ where: whereOf('tls.key_file'), text, fix: 'Put the server certificate first in its file.' })
  }
  return problems
}

function opened<T>(
  key: string,
  file: string,
  whereOf: WhereOf,
  parse: (pem: Buffer) => T,
): { value: T } | { problem: Problem } {
  try {
    return { value: parse(readFileSync(file)) }
  } catch (thrown) {
    const code = systemCode(thrown)
    const where = whereOf(key)
    if (code === 'ENOENT') return { problem: { where, text: `${file} does not exist`, fix: 'Check the path.' } }
    if (code === 'EACCES') {
      return { problem: { where, text: `${file} may not be read`, fix: 'Let the user of the server read it.' } }
    }
    return { problem: { where, text: `${file} is not usable: ${textOf(thrown)}`, fix: 'It must be a PEM file.' } }
  }
}
