#!/usr/bin/env node
// The `holdfast` command: servers run from server/main.ts, everything else is a client of their API.
import { refuseOldNode } from './setup/node-version.mjs'

refuseOldNode(process.versions.node)

// Loaded late: an old Node must reach the refusal before it meets syntax it cannot read.
import('./setup/holdfast.mjs').then(({ runHoldfast }) => runHoldfast(process.argv.slice(2)))
