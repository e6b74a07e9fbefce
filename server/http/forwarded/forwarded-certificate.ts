import type { ForwardedForm } from '../../kit/request.ts'
import type { CertificateForm } from './certificate-form.ts'
import { pemForm } from './pem-header.ts'
import { rfc9440Form } from './rfc9440.ts'
import { xfccForm } from './xfcc.ts'

/** The form that a listener is configured for. Where forwarding is off, the standard one is noticed and ignored. */
export function certificateFormOf(form: ForwardedForm, header: string): CertificateForm {
  if (form === 'xfcc') return xfccForm
  return form === 'pem' ? pemForm(header) : rfc9440Form
}
