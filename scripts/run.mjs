// `npm start` and `npm test`: installs what is missing, then hands over to the pinned Node.
//   node scripts/run.mjs start [options of `holdfast dev`]
//   node scripts/run.mjs test [options of vitest]
//   node scripts/run.mjs setup            everything installed, nothing started
import { starterProblem } from './setup/node-version.mjs'

const problem = starterProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}

// Loaded late: an old Node must reach the sentence above before it meets syntax it cannot read.
import('./setup/commands.mjs').then(({ runCommand }) => runCommand(process.argv.slice(2)))
