import { createClient } from '../../../cli/client.ts'
import { type PatientClient, patient } from '../../../cli/import/patience.ts'

const hurried = { name: 'the server', limitMs: 2000, firstPauseMs: 5 }
const plain = { ca: undefined, cert: undefined, key: undefined, skipVerify: false, timeoutMs: 10_000 }

/** A client of the command line for a server without TLS. */
export const clientOf = (
  address: string,
  token: string,
  say: (line: string) => void = () => undefined,
): PatientClient => patient(createClient({ ...plain, address: new URL(address), token }), { ...hurried, say })
