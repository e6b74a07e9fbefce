import { CliFailure } from '../io.ts'

/** Names that this server accepts: letters, numbers, "-" and "_", in those of projects also spaces. */
const patterns = {
  organization: /^[\w-]{1,64}$/,
  project: /^(?! )[\w -]{3,40}(?<! )$/,
  workspace: /^[\w-]{1,260}$/,
} as const

const rules = {
  organization: 'at most 64 letters, numbers, "-" and "_"',
  project: '3 to 40 letters, numbers, spaces, "-" and "_"',
  workspace: 'at most 260 letters, numbers, "-" and "_"',
} as const

/** Refuses a name that this server would refuse, so that a dry run says so, too, and no request contains it. */
export function requireAcceptedName(kind: keyof typeof patterns, name: string): void {
  if (!patterns[kind].test(name)) throw new CliFailure(`Its name is not accepted here. Names have ${rules[kind]}.`, 2)
}
