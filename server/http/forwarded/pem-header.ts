import { meansNoCertificate } from '../../compat/forwarded-names.ts'
import type { CertificateForm } from './certificate-form.ts'
import { certificatesIn } from './certificate-texts.ts'

/** A single header with the certificate of the client first, and any intermediates after it. */
export function pemForm(header: string): CertificateForm {
  const name = header.toLowerCase()
  return {
    // Some proxies send the header always, also for clients that have shown no certificate.
    isPresent: ({ headers }) => headers[name] !== undefined && !meansNoCertificate(String(headers[name])),
    read: ({ headersDistinct }) => {
      const [text, second] = headersDistinct[name] ?? []
      if (text === undefined || second !== undefined) return undefined
      const [leaf, ...intermediates] = certificatesIn(text) ?? []
      return leaf && { leaf, intermediates }
    },
  }
}
