import { startDemoSigners } from '../../../cms/test-support/demo-signers.ts'
import type { Corpus } from '../fuzz-case.ts'
import type { KindName } from '../kinds.ts'
import type { Recording, Seed } from '../seed.ts'
import { algorithmSeeds } from './algorithm-seeds.ts'
import { asicSeeds } from './asic-seeds.ts'
import { certificateSeeds, derSeeds } from './certificate-seeds.ts'
import { attachedSeeds, contentSeeds, detachedSeeds, streamSeeds } from './cms-seeds.ts'
import { encodingSeeds } from './encoding-seeds.ts'
import { envelopeSeeds } from './envelope-seeds.ts'
import { jadesSeeds } from './jades-seeds.ts'
import { imageSeeds, rootSeeds, stateSeeds } from './other-seeds.ts'
import { partialListSeeds } from './partial-list-seeds.ts'
import { pdfSeeds } from './pdf-seeds.ts'
import { pkcs12Seeds } from './pkcs12-seeds.ts'
import { policyListSeeds } from './policy-list-seeds.ts'
import { referenceSeeds } from './reference-seeds.ts'
import { repairSeeds } from './repair-seeds.ts'
import { listSeeds, ocspSeeds } from './revocation-seeds.ts'
import { timestampSeeds } from './timestamp-seeds.ts'
import { trustedListSeeds } from './trusted-list-seeds.ts'
import { validationPolicySeeds } from './validation-policy-seeds.ts'
import { type CorpusWorld, openWorld, recordWorld } from './world.ts'
import { xmlSeeds } from './xml-seeds.ts'

/** The builders of the valid files of each kind. */
const builders: Readonly<Record<KindName, (world: CorpusWorld) => Seed[] | Promise<Seed[]>>> = {
  der: derSeeds,
  certificate: certificateSeeds,
  crl: listSeeds,
  'partial-crl': partialListSeeds,
  ocsp: ocspSeeds,
  pkcs12: pkcs12Seeds,
  'policy-list': policyListSeeds,
  'trusted-list': trustedListSeeds,
  'validation-policy': validationPolicySeeds,
  timestamp: timestampSeeds,
  cms: attachedSeeds,
  'cms-algorithms': algorithmSeeds,
  'cms-stream': streamSeeds,
  'detached-cms': detachedSeeds,
  content: contentSeeds,
  pdf: pdfSeeds,
  'damaged-pdf': repairSeeds,
  xml: xmlSeeds,
  'xml-encodings': encodingSeeds,
  'xml-references': referenceSeeds,
  asic: asicSeeds,
  jades: jadesSeeds,
  envelope: envelopeSeeds,
  image: imageSeeds,
  roots: rootSeeds,
  'signing-state': stateSeeds,
}

/** Builds the valid files of these kinds with a demo PKI that is stopped afterwards. */
export async function buildCorpus(kinds: readonly KindName[]): Promise<{ corpus: Corpus; recording: Recording }> {
  const demo = await startDemoSigners()
  try {
    const world = openWorld(demo)
    const built: [KindName, Seed[]][] = []
    // One after the other: the demo PKI answers from this process, and must not be late.
    for (const kind of kinds) built.push([kind, await builders[kind](world)])
    const corpus = Object.fromEntries(built) as unknown as Corpus
    return { corpus, recording: await recordWorld(world) }
  } finally {
    await demo.stop()
  }
}
