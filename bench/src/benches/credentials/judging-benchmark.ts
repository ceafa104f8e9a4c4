import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import { repeatFor } from '../../harness/repeat.ts'

const READ = 'reading the XML alone'
const DEGREE = 'a degree'
const DOCUMENTATION = 'an academic documentation'
const MS = 'ms a document'

type Sample = 'degree' | 'documentation'

/** The verdict on a document by its layout. */
export const judgingBenchmark = (): Benchmark => ({
  name: 'credentials-judging',
  title: 'Credential platform: a verdict by the layout, on one core',
  question: 'How long does it take to judge a signed degree by its layout?',
  compares: { measure: 'rate', unit: 'documents/s' },
  figures: [MS],
  reference: READ,
  contestants: [
    contestant(READ, 'degree', async () => {
      const { scanXml } = await import('@chancela/signature-engine/xml')
      return (bytes) => scanXml(bytes).release()
    }),
    contestant(DEGREE, 'degree', judged),
    contestant(DOCUMENTATION, 'documentation', judged),
  ],
  targets: [DEGREE, DOCUMENTATION].map((name) => ({ contestant: name, measure: MS, atMost: 5 })),
  notes: [
    'signed documents with every optional part, from their bytes to the verdict; the tables of the layout are read once',
    'the official schemas are not part of the repository: how fast another processor judges by them is not shown here',
  ],
  sampleSeconds: 2,
  warmUpMs: 3_000,
})

const judged = async () => (await import('./degree-works.ts')).requireValid

const contestant = (name: string, of: Sample, work: () => Promise<(bytes: Buffer) => void>): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const { makeDegree, openDegreeWorld } = await import('./degree-works.ts')
    const world = await openDegreeWorld()
    const { [of]: bytes } = await makeDegree(world)
    await world.stop()
    const once = await work()
    return {
      run: async (forMs) => {
        const begun = performance.now()
        const { operations } = await repeatFor(forMs, () => {
          once(bytes)
          return 1
        })
        const wallMs = performance.now() - begun
        return { operations, wallMs, figures: { [MS]: wallMs / operations } }
      },
      tearDown: () => Promise.resolve(),
    }
  },
})
