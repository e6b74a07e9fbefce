import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'

/** The identifier of a person. */
export type UserId = Id<'user'>

/** A person who uses the platform. */
export type User = {
  readonly id: UserId
  readonly username: string
  readonly email: string
  /** True if an administrator has set the address: only such a one accepts invitations. */
  readonly emailVerified: boolean
  readonly siteAdmin: boolean
  readonly hasPassword: boolean
  /** True if the person allows signing in by a certificate whose role names the person. */
  readonly allowCertificateLogin: boolean
  /** No way of signing in and no token works for a suspended person. */
  readonly suspended: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The site administrator every server has. The root token acts as this person. */
export const administratorName = 'admin'

/** Their address until they set one: it reaches nobody, but has the form that client libraries check. */
export const administratorEmail = 'admin@holdfast.example.com'

/** True for that person, who keeps name and role because the root token acts as this person. */
export const isAdministrator = ({ username }: Pick<User, 'username'>): boolean =>
  foldCase(username) === administratorName

/** The form in which unique names and addresses are compared. */
export const foldCase = (text: string): string => text.toLowerCase()

/** True if the address of an account is verified when it is set. Repeating a verified one keeps it so. */
export const isVerifiedWhenSet = (
  before: Pick<User, 'email' | 'emailVerified'>,
  email: string,
  byAdministrator: boolean,
): boolean => byAdministrator || (before.emailVerified && foldCase(before.email) === foldCase(email))

/** True if the holder of an address loses it to somebody for whom an administrator sets it. */
export const givesUpAddress = (holder: Pick<User, 'emailVerified'>, wanted: Pick<User, 'emailVerified'>): boolean =>
  !holder.emailVerified && wanted.emailVerified

/** The address of somebody who has lost theirs: it reaches nobody. */
export const lostAddress = (randomText: string): string => `no-address-${randomText}@holdfast.example.com`

/** Names are plain ASCII, so that no two people look alike. */
export function usernameProblem(name: string): string | undefined {
  if (name.length > 64) return 'is too long, the maximum is 64 characters'
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)
    ? undefined
    : 'may contain only letters, digits, ".", "-" and "_", and starts and ends with a letter or digit'
}

/** Checks only the form that every address has; whether mail arrives is not verified. */
export function emailProblem(email: string): string | undefined {
  if (email.length > 254) return 'is too long, the maximum is 254 characters'
  return /^[!-?A-~]+@[!-?A-~]+$/.test(email) ? undefined : 'must be an e-mail address'
}

/** The fewest characters of a password; NIST SP 800-63B §5.1.1.1 asks for length, not for kinds of characters. */
export const shortestPassword = 8

/** What is wrong with a new password. */
export function passwordProblem(password: string, username: string): string | undefined {
  if ([...password].length < shortestPassword) return `must have at least ${shortestPassword} characters`
  if (Buffer.byteLength(password) > 1024) return 'is too long, the maximum is 1024 bytes'
  return foldCase(password) === foldCase(username) ? 'must differ from the user name' : undefined
}

const pictures = new Map<string, string>()

/**
 * A picture of a person: the first letter of the name on a background colour derived from it, as a `data:` URL. Clients
 * expect an address, and one on another host would tell that host whose picture is viewed.
 */
export function pictureOf(name: string): string {
  const letter = /^[a-z0-9]/i.exec(name)?.[0].toUpperCase() ?? '?'
  const known = pictures.get(letter)
  if (known !== undefined) return known
  const ground = `hsl(${(letter.charCodeAt(0) * 47) % 360},45%,40%)`
  const text = `<text x="16" y="22" fill="#fff" font-family="sans-serif" font-size="18" text-anchor="middle">${letter}</text>`
  const size = 'width="32" height="32"'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="${ground}"/>${text}</svg>`
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  pictures.set(letter, picture)
  return picture
}
