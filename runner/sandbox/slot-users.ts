import { chown } from 'node:fs/promises'

/** A user that owns the processes and folders of one job slot, when the runner has the rights to give it one. */
export type SlotUser = { readonly uid: number; readonly setprivFlags: readonly string[] }

/** The users of slots, far from those that machines give to people and services. */
const firstUser = 1_700_000_000

/**
 * The user of a job slot; undefined unless the runner is root. Each runner of a machine needs users of its own, so they
 * are taken from a hash of its folder.
 */
export function slotUser(folderHash: number, slot: number): SlotUser | undefined {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return undefined
  const uid = firstUser + (folderHash % 1_000_000) * 64 + (slot % 64)
  return {
    uid,
    setprivFlags: ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--inh-caps=-all', '--no-new-privs'],
  }
}

/** Gives a file or folder to the user of a slot. */
export async function giveTo(user: SlotUser | undefined, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.uid)
}
