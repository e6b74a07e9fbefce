import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { sshKeyEndpoints } from './ssh-key-endpoints.ts'

/** SSH keys that workspaces fetch modules with. */
export const sshKeysFeature: Feature = defineFeature({ name: 'ssh-keys', endpoints: sshKeyEndpoints })
