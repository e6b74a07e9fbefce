import { failure } from '../kernel/failure.ts'

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))

/** Hides a token behind a one-time password of its length, in base64 without padding, as clients decode it. */
export function maskToken(token: string, otp: string): string {
  requireOtpLength(otp, token.length)
  return xor(Buffer.from(token), Buffer.from(otp)).toString('base64').replace(/=+$/, '')
}

/** Refuses a one-time password that does not have the length of a root token. */
export function requireOtpLength(otp: string, length: number): void {
  if (Buffer.byteLength(otp) === length) return
  throw failure('invalid', 'root.otp-length', `The otp must have ${length} characters, as many as a root token.`)
}

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** The token behind a one-time password. */
export function unmaskToken(encoded: string, otp: string): string {
  const masked = Buffer.from(encoded, 'base64')
  if (!base64.test(encoded) || masked.length === 0)
    throw failure('invalid', 'root.bad-encoding', 'The encoded_token is not in base64.')
  const password = Buffer.from(otp)
  if (password.length !== masked.length) {
    const text = `The otp has ${password.length} characters, the encoded token ${masked.length}: they do not belong together.`
    throw failure('invalid', 'root.otp-length', text)
  }
  return xor(masked, password).toString()
}
