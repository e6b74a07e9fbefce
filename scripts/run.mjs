// `npm start` and `npm test`: installs what is missing, then hands over to the pinned Node.
//   node scripts/run.mjs start [options of `holdfast dev`]
//   node scripts/run.mjs test [options of vitest]
//   node scripts/run.mjs ui               the web UI, unless it is built
//   node scripts/run.mjs build            what a package contains, in dist
//   node scripts/run.mjs setup            everything installed, nothing started
import { refuseOldNode } from './setup/node-version.mjs'

refuseOldNode(process.versions.node)

// Loaded late: an old Node must reach the refusal before it meets syntax it cannot read.
import('./setup/commands.mjs').then(({ runCommand }) => runCommand(process.argv.slice(2)))
