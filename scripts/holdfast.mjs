#!/usr/bin/env node
// The `holdfast` command: servers run from server/main.ts, everything else is a client of their API.
import { starterProblem } from './setup/node-version.mjs'

const problem = starterProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}

// Loaded late: an old Node must reach the sentence above before it meets syntax it cannot read.
import('./setup/command-line.mjs').then(({ runCommandLine }) => runCommandLine(process.argv.slice(2)))
