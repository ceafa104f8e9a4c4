import type { DocumentKind } from '../kinds.ts'
import {
  sampleAcademicDocumentation,
  sampleCancellationList,
  sampleCurriculum,
  sampleDegree,
  sampleInspectionFile,
  sampleTranscript,
} from '../samples/index.ts'
import { type GenerateOptions, generateUnchecked } from '../writing/generate.ts'
import { placeholderSignature } from '../writing/placeholder-signature.ts'
import { richSignature } from './rich-signature.ts'

export interface Sample {
  readonly name: string
  readonly kind: DocumentKind
  readonly input: unknown
}

const both = [false, true] as const

/** Every kind and variant, with all optional parts and with none. */
export const allSamples: readonly Sample[] = both.flatMap((minimal) => {
  const size = minimal ? 'minimal' : 'full'
  const named = (kind: DocumentKind, variant: string, input: unknown) => ({
    name: `${kind} ${variant} ${size}`,
    kind,
    input,
  })
  return [
    ...(['regular', 'outsideFederalSystem', 'secondCopy', 'judicial'] as const).map((variant) =>
      named('academicDocumentation', variant, sampleAcademicDocumentation({ variant, minimal })),
    ),
    ...(['regular', 'outsideFederalSystem', 'judicial'] as const).map((variant) =>
      named('degree', variant, sampleDegree({ variant, minimal })),
    ),
    ...(['partial', 'final', 'secondCopy'] as const).map((variant) =>
      named('academicTranscript', variant, sampleTranscript({ variant, minimal })),
    ),
    named('curriculum', '', sampleCurriculum({ minimal })),
    named('cancellationList', '', sampleCancellationList({ minimal })),
    ...(['issuer', 'registrar'] as const).map((variant) =>
      named('inspectionFile', variant, sampleInspectionFile({ variant, minimal })),
    ),
  ]
})

/** The bytes of a sample; fails the test that asks for those of a bad one. */
export function bytesOf({ name, kind, input }: Sample, options: GenerateOptions = {}): Buffer {
  const made = generateUnchecked(kind, input, options)
  if (!made.valid) throw new Error(`${name}: ${made.problems.map(({ path, pt }) => `${path}: ${pt}`).join('\n')}`)
  return made.bytes
}

/** With signatures that have every construct. */
export function signedBytesOf(sample: Sample): Buffer {
  let mark = 0
  const text = bytesOf(sample, { placeholderSignatures: true }).toString('utf8')
  return Buffer.from(
    text.replaceAll(placeholderSignature, () => richSignature(String(++mark))),
    'utf8',
  )
}
