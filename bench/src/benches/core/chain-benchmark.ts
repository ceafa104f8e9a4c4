import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { SigningWorld } from '../signatures/signing-world.ts'

const ALONE = 'signatures of the chain alone'
const JUDGED = 'chain and revocation judged'

/** A certificate of a person under three authorities, whose revocation lists were fetched before. */
export const chainBenchmark = (world: () => Promise<SigningWorld>): Benchmark => ({
  name: 'pki-core-chain',
  title: 'PKI core: judge a certificate, revocation lists in the cache',
  question: 'What does the judgement of a certificate cost once its authorities were asked?',
  compares: { measure: 'rate', unit: 'certificates/s' },
  figures: ['ms'],
  reference: ALONE,
  contestants: [timed(ALONE, world, verifying), timed(JUDGED, world, judging)],
  targets: [{ contestant: JUDGED, measure: 'ms', atMost: 1 }],
  notes: [
    'one core, one certificate after the other; the reference verifies the three RSA signatures of the chain with node:crypto, each time anew',
    'the judge remembers what it verified; the network is gone before the first turn, and the verdict is still "valid"',
  ],
  sampleSeconds: 2,
  warmUpMs: 1000,
})

type Make = (world: SigningWorld) => Promise<() => Promise<void> | void>

const timed = (name: string, world: () => Promise<SigningWorld>, make: Make): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const once = await make(await world())
    return {
      run: async (forMs) => {
        const begun = performance.now()
        let operations = 0
        for (; performance.now() - begun < forMs; operations++) await once()
        const wallMs = performance.now() - begun
        return { operations, wallMs, figures: { ms: wallMs / operations } }
      },
      tearDown: async () => {},
    }
  },
})

const verifying: Make = async ({ rsa: { certificate, chain } }) => {
  const { X509Certificate } = await import('node:crypto')
  const path = [certificate, ...chain].map(({ der }) => new X509Certificate(der))
  const pairs = path.slice(0, -1).map((one, at) => [one, path[at + 1]!.publicKey] as const)
  return () => {
    if (!pairs.every(([one, key]) => one.verify(key))) throw new Error('The chain is not one.')
  }
}

const judging: Make = async ({ judge, rsa: { certificate, chain }, now, goOffline }) => {
  const judged = async () => {
    const { indication } = await judge.certificate(certificate, { at: now, now, certificates: chain })
    if (indication !== 'valid') throw new Error(`Judged "${indication}".`)
  }
  await judged()
  await goOffline()
  return judged
}
