import { createClient } from '../../../cli/connection/client.ts'
import { makePatient, type PatientClient } from '../../../cli/import/patient-client.ts'

const shortWaits = { name: 'the server', limitMs: 2000, firstPauseMs: 5 }
const plainConnection = { ca: undefined, cert: undefined, key: undefined, skipVerify: false }

/** A client of the command line for a server without TLS. */
export const importClient = (
  address: string,
  token: string,
  say: (line: string) => void = () => undefined,
  timeoutMs = 10_000,
): PatientClient =>
  makePatient(createClient({ ...plainConnection, timeoutMs, address: new URL(address), token }), { ...shortWaits, say })
