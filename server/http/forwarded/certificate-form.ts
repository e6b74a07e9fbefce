import type { IncomingMessage } from 'node:http'
import type { ClientCertificate } from '../../kit/request.ts'

/** A way in which proxies hand on the certificate that their client has presented. */
export type CertificateForm = {
  /** True if the request carries a certificate in this way, whoever put it there. */
  isPresent(incoming: IncomingMessage): boolean
  /**
   * The certificate. Undefined when it is there twice or malformed: then somebody other than the proxy may have written
   * it.
   */
  read(incoming: IncomingMessage): ClientCertificate | undefined
}
