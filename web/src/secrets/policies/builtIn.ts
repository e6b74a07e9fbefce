/** What is to be said about a policy that the server comes with. */
export const aboutPolicy = (name: string): string => builtIn[name]?.about ?? ''

/** Why a policy cannot be written, if so. */
export const whyNotWritten = (name: string): string | undefined => builtIn[name]?.fixed

/** Why a policy cannot be deleted, if so. */
export const whyNotDeleted = (name: string): string | undefined =>
  name === 'default' ? 'The policy default can be changed, but not deleted.' : whyNotWritten(name)

const builtIn: Readonly<Record<string, { readonly about: string; readonly fixed?: string }>> = {
  root: { about: 'Allows everything', fixed: 'The policy root allows everything; it has no text.' },
  default: { about: 'Every token has it, unless it is left out' },
  'response-wrapping': {
    about: 'For the server alone',
    fixed: 'The server needs this policy as it is.',
  },
}
