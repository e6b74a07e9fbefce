import type { Initialised } from '../product/secrets/seal/index.ts'

/** The text that is shown once, when the root token and the recovery key are made: they cannot be read again. */
export function renderInitialised({ rootToken, recoveryKey }: Pick<Initialised, 'rootToken' | 'recoveryKey'>): string {
  const lines = [
    '',
    '  The store was initialised. These are shown once and kept nowhere: write them down now.',
    '',
    `    Root token    ${rootToken}`,
    ...(recoveryKey ? [`    Recovery key  ${recoveryKey.toString('base64')}`] : []),
    '',
    '  Snapshots do not hold the root key of the seal. Restoring one elsewhere needs a copy of the seal key',
    '  file, or this recovery key.',
    '',
  ]
  return `${lines.join('\n')}\n`
}
