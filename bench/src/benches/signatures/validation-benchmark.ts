import { validateCades } from '@chancela/signature-engine/cades'
import { validatePades } from '@chancela/signature-engine/pades'
import type { ValidationReport } from '@chancela/signature-engine/report'
import { validateXades } from '@chancela/signature-engine/xades'
import type { Benchmark, Contestant, Target } from '../../harness/benchmark.ts'
import { signCades } from './cms-benchmark.ts'
import { type MakeWork, repeating } from './contestants.ts'
import { signPades } from './engine-pades.ts'
import { contentSample, pdfSamples, xmlSamples } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'
import { signXades } from './xml-benchmark.ts'

/** One document: how it is signed, and how its signature is validated. */
interface Judged {
  readonly name: string
  readonly sign: MakeWork
  validate(signed: Uint8Array, world: SigningWorld): Promise<ValidationReport>
  /** Offset of a byte whose change must be detected. */
  breakAt(signed: Buffer): number
}

const pdf = (name: keyof typeof pdfSamples): Judged => ({
  name: `PAdES ${name}`,
  sign: signPades(pdfSamples[name]),
  validate: (signed, { judge, now }) => validatePades(signed, { judge, now }),
  breakAt: (signed) => signed.indexOf('(Page 1)') + 1,
})

const xml = (name: keyof typeof xmlSamples): Judged => ({
  name: `XAdES ${name}`,
  sign: signXades(xmlSamples[name]),
  validate: (signed, { judge, now }) => validateXades(signed, { judge, now }),
  breakAt: (signed) => signed.indexOf('<code>') + '<code>'.length,
})

const documents: readonly Judged[] = [
  pdf('20 KB'),
  pdf('1 MB, 4,000 objects'),
  pdf('10 MB'),
  {
    name: 'CAdES 20 KB',
    sign: signCades(contentSample),
    validate: (signed, { judge, now }) => validateCades(signed, { judge, now, content: contentSample() }),
    breakAt: (signed) => signed.length - 10,
  },
  xml('5 KB'),
  xml('500 KB'),
]

const signing = (name: string): string => `sign ${name}`
const validating = (name: string): string => `validate ${name}`

/** The cost of validating a signature compared with creating it. */
export const validationBenchmark = (world: () => Promise<SigningWorld>): Benchmark => ({
  name: 'signatures-validation',
  title: 'Validating: the whole judgement against making the signature',
  question:
    'Is a signature judged (integrity, chain, revocation, policy, coverage, later changes) at least as fast as it is made?',
  compares: { measure: 'rate', unit: 'documents/s' },
  reference: signing(documents[0]!.name),
  contestants: documents.flatMap((document) => [
    repeating(world, signing(document.name), document.sign, { against: signing(document.name) }),
    judging(world, document),
  ]),
  targets: documents.map(({ name }): Target => ({ contestant: validating(name), measure: 'ratio', atLeast: 1 })),
  notes: [
    'one core, one document after the other; the chain has four certificates',
    'revocation data comes from the cache: the network is gone before the first turn, and every verdict is still "valid"',
    'the same file with one byte changed was found not valid before the first turn',
  ],
  sampleSeconds: 2,
  warmUpMs: 1000,
})

const judging = (world: () => Promise<SigningWorld>, document: Judged): Contestant => ({
  ...repeating(world, validating(document.name), judgeOf(document)),
  against: signing(document.name),
})

const judgeOf =
  (document: Judged): MakeWork =>
  async (world) => {
    const signed = await (await document.sign(world)).once()
    // Fills the validator's caches; the only time the network is queried.
    requireValid(await document.validate(signed, world))
    await world.goOffline()
    await requireRefused(document, signed, world)
    return {
      once: async () => {
        requireValid(await document.validate(signed, world))
        return signed
      },
      check: async () => {},
    }
  }

function requireValid({ indication, signatures }: ValidationReport): void {
  if (indication === 'valid') return
  const findings = signatures.flatMap((signature) => signature.findings).map(({ code }) => code)
  throw new Error(`Judged "${indication}" (${findings.join(', ')}), expected valid.`)
}

/** A validator that accepts everything would be the fastest. */
async function requireRefused({ validate, breakAt }: Judged, signed: Uint8Array, world: SigningWorld): Promise<void> {
  const broken = Buffer.from(signed)
  const at = breakAt(broken)
  broken[at] = broken[at] === 0x41 ? 0x42 : 0x41
  const { indication } = await validate(broken, world)
  if (indication === 'valid') throw new Error(`A change at byte ${at} was not noticed.`)
}
