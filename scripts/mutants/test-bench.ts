import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Plugin, ViteUserConfig } from 'vitest/config'
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import { killAllWorkers, MortalWorker } from './mortal-worker.ts'

/** The result of a run of test files. */
export interface BenchRun {
  /** Some test failed, or a file could not be loaded, or something failed outside of every test. */
  readonly failed: boolean
  /** A process exceeded its time limit. */
  readonly timedOut: boolean
  readonly files: readonly TestedFile[]
}

interface Terms {
  /** Time limit of each process, in milliseconds. */
  readonly limit: number
  readonly processes: number
  readonly untilFirstFailure: boolean
}

/** Patterns of names. */
interface TestFiles {
  readonly include: string[]
  readonly exclude?: string[]
}

const everyTest: TestFiles = { include: ['**/*.test.ts'] }

/** All tests of a package, on a slow machine. */
const WITHOUT_A_MUTANT = 3_600_000

export interface TestedFile {
  readonly test: string
  readonly passed: boolean
  readonly milliseconds: number
  readonly reached: readonly string[]
}

/**
 * One Vitest for the whole measurement: modules are transformed once, and every run has processes of its own. Mutants
 * are planted when modules are loaded, never on the disk: nothing has to be restored.
 */
export class TestBench {
  readonly #root: string
  readonly #vitest: Vitest
  readonly #bench: Bench

  private constructor(root: string, vitest: Vitest, bench: Bench) {
    this.#root = root
    this.#vitest = vitest
    this.#bench = bench
  }

  /** @param config what the tests run with: of its projects, the one whose files share a process */
  static async open(root: string, config: ViteUserConfig, files: TestFiles = everyTest): Promise<TestBench> {
    const bench: Bench = { planted: new Map(), limit: 0, timedOut: false, last: undefined }
    const silent = { stdout: silence(), stderr: silence() }
    const options = { root, config: false as const, watch: false }
    const vitest = await createVitest('test', options, benchConfig(config, files, bench), silent)
    return new TestBench(root, vitest, bench)
  }

  /** The files that may share a process: others would see each other's traces. */
  async tests(): Promise<readonly string[]> {
    const { testFiles } = await this.#vitest.getRootProject().globTestFiles()
    return testFiles.map((path) => path.slice(join(this.#root, '/').length)).toSorted()
  }

  /** Runs test files beside each other, with some modules reading otherwise. */
  measure(tests: readonly string[], planted: ReadonlyMap<string, string>): Promise<BenchRun> {
    const terms = { limit: WITHOUT_A_MUTANT, processes: availableParallelism(), untilFirstFailure: false }
    return this.#run(tests, planted, terms)
  }

  /** Runs test files in this order until one fails, with some modules reading otherwise. */
  judge(tests: readonly string[], planted: ReadonlyMap<string, string>, limit: number): Promise<BenchRun> {
    return this.#run(tests, planted, { limit, processes: 1, untilFirstFailure: true })
  }

  async #run(tests: readonly string[], planted: ReadonlyMap<string, string>, terms: Terms): Promise<BenchRun> {
    this.#plant(planted)
    Object.assign(this.#bench, { limit: terms.limit, timedOut: false, last: undefined })
    const project = this.#vitest.getRootProject()
    Object.assign(project.config, { bail: terms.untilFirstFailure ? 1 : 0, maxWorkers: terms.processes })
    await this.#vitest.runTestSpecifications(tests.map((test) => project.createSpecification(join(this.#root, test))))
    const { last, timedOut } = this.#bench
    if (last === undefined) throw new Error('Vitest ended a run without saying how.')
    return { failed: last.failed, timedOut, files: last.modules.map((module) => this.#tested(module)) }
  }

  async close(): Promise<void> {
    killAllWorkers()
    await this.#vitest.close()
    // Vitest marks its own process as failed when a test fails; here a failing test is expected.
    process.exitCode = 0
  }

  #plant(next: ReadonlyMap<string, string>): void {
    const { planted } = this.#bench
    const changed = new Set([...planted.keys(), ...[...next.keys()].map((module) => join(this.#root, module))])
    planted.clear()
    for (const [module, text] of next) planted.set(join(this.#root, module), text)
    for (const path of changed) this.#vitest.invalidateFile(path)
  }

  #tested(module: TestModule): TestedFile {
    return {
      test: module.moduleId.slice(join(this.#root, '/').length),
      passed: module.state() === 'passed',
      milliseconds: lifeOf(module),
      reached: module.meta().reached ?? [],
    }
  }
}

interface Bench {
  readonly planted: Map<string, string>
  limit: number
  timedOut: boolean
  last: { readonly failed: boolean; readonly modules: readonly TestModule[] } | undefined
}

function benchConfig({ test, ...config }: ViteUserConfig, files: TestFiles, bench: Bench): ViteUserConfig {
  const { projects: _, ...shared } = test ?? {}
  return {
    ...config,
    plugins: [plants(bench)],
    test: {
      ...shared,
      ...files,
      isolate: false,
      // Its key is the file on the disk, which does not include mutants.
      experimental: { fsModuleCache: false },
      setupFiles: [shared.setupFiles ?? [], join(import.meta.dirname, 'reached.setup.ts')].flat(),
      pool: { name: 'mortal', createPoolWorker: (options) => new MortalWorker(options, bench.limit, timeOut(bench)) },
      sequence: { ...shared.sequence, sequencer: AsGiven },
      reporters: [reporterFor(bench)],
    },
  }
}

/** The nearest tests first, in the given order. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

const timeOut = (bench: Bench) => () => {
  bench.timedOut = true
}

const plants = ({ planted }: Bench): Plugin => ({
  name: 'chancela-mutants',
  enforce: 'pre',
  load: (id) => planted.get(id.split('?')[0]!),
})

const reporterFor = (bench: Bench): Reporter => ({
  onTestRunEnd(modules, errors, reason) {
    bench.last = { modules, failed: reason !== 'passed' || errors.length > 0 }
  },
})

/** From the start of the process to the end of the last test. */
function lifeOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })
