import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { BareClone } from './bare-clone.ts'

const SECONDS = 'seconds'

/** The last line of the table. */
const TABLE = 'Ctrl+C stops everything'

/** What a newcomer waits for. */
export function startBenchmark({ root }: BenchScene): Benchmark {
  const clone = new BareClone(root)
  const started = () => clone.secondsUntil(TABLE, 'npm', ['start'])
  return {
    name: 'loop-start',
    title: 'From a bare clone to the running demo',
    question: 'How long does `npm start` take until its table is there, beside the install alone?',
    compares: { measure: SECONDS, unit: 'seconds' },
    reference: 'npm ci',
    contestants: [
      contestant('npm ci', clone, () => clone.secondsOf('npm', ['ci']), { bare: true }),
      contestant('npm start on a bare clone', clone, started, { bare: true }),
      contestant('npm start again', clone, started, { bare: false }),
    ],
    targets: [{ contestant: 'npm start on a bare clone', measure: 'ratio', atMost: 1.8 }],
    notes: ['what npm has downloaded once is in its cache; nothing else may use the ports of the demo'],
    sampleSeconds: 60,
    warmUpMs: 0,
  }
}

const contestant = (
  name: string,
  clone: BareClone,
  seconds: () => Promise<number>,
  { bare }: { readonly bare: boolean },
): Contestant => ({
  name,
  cores: 2,
  setUp: async () => ({
    prepare: async () => {
      if (bare) await clone.renew()
    },
    run: async () => ({ operations: 1, figures: { [SECONDS]: await seconds() } }),
    tearDown: () => clone.remove(),
  }),
})
