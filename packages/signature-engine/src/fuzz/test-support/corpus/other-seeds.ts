import { prepareCades } from '../../../cades/prepare-cades.ts'
import { samplePng } from '../../../pades/test-support/sample-image.ts'
import { sealState } from '../../../signing/signing-state.ts'
import { writeZip } from '../../../zip/zip-writer.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Pictures for visible signatures: every form of PNG pixel, and a JPEG's outline. */
export const imageSeeds = (): Seed[] => [
  ...(['grey', 'rgb', 'palette', 'grey-alpha', 'rgb-alpha'] as const).map((kind) => seed(kind, samplePng(kind))),
  seed('JPEG', jpegOutline),
]

// SOI, APP0, SOF0 (8 × 8, three components), EOI: all that is read of a JPEG.
const jpegOutline = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc00011080008000803012200021101031101ffd9',
  'hex',
)

/** Files that roots come in. */
export function rootSeeds({ pki, now }: CorpusWorld): Seed[] {
  const files = pki
    .authorities()
    .map(({ label, der }, i) => ({ name: `${label}.crt`, content: der, stored: i % 2 === 0 }))
  return [seed('archive', writeZip(files, now)), seed('PEM', Buffer.from(pki.trustAnchors()))]
}

/** The secret that seals the states. */
export const stateSecret = Buffer.alloc(32, 7)

/** A signature in progress. Sealed as a whole: every byte counts. */
export function stateSeeds({ ec: { certificate }, now }: CorpusWorld): Seed[] {
  const { state } = prepareCades(Buffer.from('content'), certificate, { now })
  const bytes = sealState(state, stateSecret)
  return [seed('CAdES', bytes, { signedParts: [bytes] })]
}
