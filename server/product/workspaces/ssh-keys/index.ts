import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { sshKeyEndpoints } from './ssh-key-endpoints.ts'

export { openSshKey } from './ssh-key-actions.ts'

/** SSH keys that workspaces fetch modules with. */
export const sshKeysFeature: Feature = defineFeature({ name: 'ssh-keys', endpoints: sshKeyEndpoints })
