import { digest } from '../crypto/digest.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { TimestampReport } from '../report/report.ts'
import { judgeTimestamp } from '../timestamps/judge-timestamp.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import type { XmlSignature } from './read-signature.ts'
import type { ExternalContents } from './resolve-reference.ts'
import {
  archiveTimestampInput,
  contentTimestampInput,
  referencesTimestampInput,
  signatureTimestampInput,
} from './timestamp-inputs.ts'
import {
  contentTimestamps,
  type EmbeddedMaterial,
  type TimestampProperty,
  timestampProperties,
} from './unsigned-properties.ts'

export interface JudgeTimestampsOptions extends EmbeddedMaterial {
  readonly judge: Judge
  readonly now: Date
  /** When the whole signature is known to have existed: `now`, or earlier where another one archives it. */
  readonly existedAt: Date
  readonly contents: ExternalContents
}

/**
 * Every timestamp of a signature, validated from the last to the first: a valid archive timestamp proves that what
 * precedes it existed at its time, when the certificates of the older ones were still good.
 */
export async function judgeTimestamps(
  index: XmlIndex,
  signature: XmlSignature,
  { judge, now, existedAt, contents, certificates, evidence }: JudgeTimestampsOptions,
): Promise<TimestampReport[]> {
  const reports: TimestampReport[] = []
  let provenAt = existedAt
  const properties = [...contentTimestamps(index, signature), ...timestampProperties(index, signature)]
  for (const property of properties.toReversed()) {
    const input = inputOf(index, signature, property, contents)
    const judged: TimestampReport[] = []
    for (const token of property.tokens)
      judged.push(
        await judgeTimestamp(token, (name) => (input === undefined ? undefined : digest(name, input)), {
          judge,
          now,
          kind: property.kind,
          provenAt,
          certificates,
          evidence,
        }),
      )
    reports.unshift(...judged)
    for (const { kind, indication, time } of judged)
      if (kind === 'archive' && indication === 'valid' && time && time < provenAt) provenAt = time
  }
  return reports
}

function inputOf(
  index: XmlIndex,
  signature: XmlSignature,
  { kind, form, element, includes }: TimestampProperty,
  contents: ExternalContents,
): Buffer | undefined {
  if (kind === 'signature') return signatureTimestampInput(index, signature, form)
  if (kind === 'references') return referencesTimestampInput(index, signature, form, element)
  if (kind === 'content') return contentTimestampInput(index, signature, form, includes, contents)
  return archiveTimestampInput(index, signature, form, element, contents)
}
