import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests beside their source. Generated databases and clones under `data/` are not ours to run. */
const besideSource = ['server', 'cli', 'runner', 'api-client', 'scripts', 'bench', 'test/support', 'web/src'].map(
  (folder) => `${folder}/**/*.test.ts`,
)

/** Starts one PostgreSQL for the whole run; only projects that name the engine pay for it. */
const databaseSetup = ['test/support/global-setup.ts'].filter((file) => existsSync(join(import.meta.dirname, file)))

const engines = (names: string) => ({ HOLDFAST_TEST_ENGINES: process.env.HOLDFAST_TEST_ENGINES ?? names })

// Times are told in the zone of the server, which the tests expect to be this one wherever they run.
process.env.TZ = 'UTC'

// Threads that tests start would strip types anew each time; what was made of a module once is kept beside the packages.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'holdfast-tests')

export default defineConfig({
  test: {
    watch: false,
    pool: 'forks',
    // All projects but faults wait in one line: while one ends with a long file, the next has begun. A third of the time
    // of a test goes by waiting, for a database, a process or a timer, so four keep two cores busy.
    maxWorkers: 4,
    testTimeout: 40_000,
    hookTimeout: 120_000,
    // What is waited for comes in its time; a second is too little on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // Machines that are shared stall now and then; what fails twice in a row has failed.
    retry: process.env.CI ? 1 : 0,
    restoreMocks: true,
    // Files of one worker share its environment; what a test changes ends with the test, however that ends.
    unstubEnvs: true,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: besideSource,
          env: engines('sqlite'),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: besideSource,
          env: engines('sqlite,postgres'),
          globalSetup: databaseSetup,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          env: engines('sqlite,postgres'),
          globalSetup: databaseSetup,
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/built-ui.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'compat',
          include: ['test/compat/**/*.test.ts'],
          // No client can tell the engine of the server; `npm run test:compat` runs them on both.
          env: engines('sqlite'),
          globalSetup: databaseSetup,
          isolate: false,
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          env: engines('sqlite,postgres'),
          globalSetup: [...databaseSetup, 'test/support/built-ui.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          env: engines('sqlite,postgres'),
          globalSetup: databaseSetup,
          testTimeout: 600_000,
          // Files share nothing and mostly wait; alone they run where a limit is exact (test/support/fault-pace.ts).
          fileParallelism: process.env.HOLDFAST_FAULTS === 'quick',
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
