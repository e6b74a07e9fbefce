/** The code of what the system refused, such as `ENOENT`; empty for anything else that was thrown. */
export const systemCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

/** For `.catch(ifAbsent)`: undefined in place of a file that is not there; whatever else is wrong is thrown on. */
export const ifAbsent = (thrown: unknown): undefined => {
  if (systemCode(thrown) !== 'ENOENT') throw thrown
}
