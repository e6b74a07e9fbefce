/** An environment whose variables can be removed. */
type ChangeableEnvironment = Record<string, string | undefined>

const textVariable = 'HOLDFAST_CONFIG_TEXT'

/** Variables that pass the text of the configuration file to further processes of this server. */
export const passConfigText = (text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined ? {} : { [textVariable]: text }

/** The text that was passed to this process. Programs that it starts do not inherit it: there may be a password in it. */
export function takeConfigText(environment: ChangeableEnvironment): string | undefined {
  const text = environment[textVariable]
  delete environment[textVariable]
  return text
}
