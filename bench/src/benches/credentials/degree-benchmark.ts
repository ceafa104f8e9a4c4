import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import { repeatFor } from '../../harness/repeat.ts'
import { RSA_ALONE, rsaAlone, STEADY_STATE_MS, steadyStateNote } from '../signatures/contestants.ts'
import type { SigningWorld } from '../signatures/signing-world.ts'

const DEGREE = 'a degree, by the signatures it needs'
const PER_DEGREE = 'ms a degree'

/** From the data of a degree to both files. */
export const degreeBenchmark = (): Benchmark => ({
  name: 'credentials-degree',
  title: 'Credential platform: a degree from its data to both XML files, on one core',
  question: 'What does issuing a degree cost beyond the RSA operations of those who sign?',
  compares: { measure: 'rate', unit: 'signatures/s' },
  figures: [PER_DEGREE],
  reference: RSA_ALONE,
  contestants: [rsaAlone(signingWorld), degree()],
  targets: [{ contestant: DEGREE, measure: 'ratio', atLeast: 0.5 }],
  notes: [
    'from the data to academic documentation and public XML, each valid by its layout and closed: two people and two institutions sign five times at AD-RC and AD-RA',
    'an operation is an RSA signature: the five, and those of the timestamps their levels need. The timestamp authority is in the same process, without HTTP, so that its signatures, and how it reads and writes its messages, are part of what is measured',
    'certificates and revocation lists are judged for every level; the answers of authorities are remembered',
    'both files were found valid with their signatures, and accepted by xmlsec1, signature by signature, before the first turn',
    steadyStateNote,
  ],
  sampleSeconds: 4,
  warmUpMs: STEADY_STATE_MS,
})

const signingWorld = (): Promise<SigningWorld> =>
  import('../signatures/open-signing-world.ts').then(({ openSigningWorld }) => openSigningWorld())

const degree = (): Contestant => ({
  name: DEGREE,
  cores: 1,
  setUp: async () => {
    const { makeDegree, openDegreeWorld, requireValid } = await import('./degree-works.ts')
    const { requireXmlSignatures } = await import('./degree-judges.ts')
    const world = await openDegreeWorld()
    const { documentation, degree: publicXml } = await makeDegree(world)
    for (const bytes of [documentation, publicXml]) {
      requireValid(bytes)
      await requireXmlSignatures(bytes, world.root)
    }
    return {
      run: async (forMs) => {
        let degrees = 0
        const begun = performance.now()
        const { operations } = await repeatFor(forMs, async () => {
          const before = world.signatures()
          await makeDegree(world)
          degrees += 1
          return world.signatures() - before
        })
        const wallMs = performance.now() - begun
        return { operations, wallMs, figures: { [PER_DEGREE]: wallMs / degrees } }
      },
      tearDown: () => world.stop(),
    }
  },
})
