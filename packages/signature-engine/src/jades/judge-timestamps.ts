import { digest } from '../crypto/digest.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { notChecked } from '../report/check.ts'
import { type Finding, finding, type TimestampReport } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { type ImprintOf, judgeTimestamp } from '../timestamps/judge-timestamp.ts'
import type { JwsSignature } from './jws.ts'
import { type EmbeddedMaterial, tokensOf, type UnsignedComponent } from './unsigned.ts'

export interface JudgeJadesTimestampsOptions {
  readonly judge: Judge
  readonly now: Date
  readonly material: EmbeddedMaterial
  /** The content as an archive timestamp takes it; undefined where it is not there. */
  readonly archived: Buffer | undefined
  /** Those in the protected header. */
  readonly contentTimestamps: readonly Buffer[]
}

const kinds: Readonly<Record<string, TimestampReport['kind']>> = {
  sigTst: 'signature',
  sigRTst: 'references',
  rfsTst: 'references',
  arcTst: 'archive',
}

/**
 * Every timestamp of `etsiU`, from the last to the first: a valid archive timestamp proves that those before it existed
 * at its time, when their certificates were still good. The first are those over the content, which are signed.
 */
export async function judgeJadesTimestamps(
  signature: JwsSignature,
  components: readonly UnsignedComponent[],
  { judge, now, material, archived, contentTimestamps }: JudgeJadesTimestampsOptions,
  findings: Finding[],
): Promise<TimestampReport[]> {
  const reports: TimestampReport[] = []
  let existedAt = now
  for (const [at, { name, value }] of [...components.entries()].toReversed()) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!kind) continue
    const imprintOf = imprintsOf(kind, signature, components.slice(0, at), archived)
    const tokens = tried(findings, () => tokensOf(value)) ?? []
    for (const token of tokens.toReversed()) {
      const report = await judgeTimestamp(token, imprintOf, { judge, now, kind, provenAt: existedAt, ...material })
      reports.unshift(report)
      if (kind === 'archive' && report.indication === 'valid' && report.time) existedAt = report.time
    }
  }
  const imprintOf: ImprintOf = (name) => archived && digest(name, archived)
  const options = { judge, now, kind: 'content', provenAt: existedAt, ...material } as const
  for (const token of contentTimestamps.toReversed()) reports.unshift(await judgeTimestamp(token, imprintOf, options))
  return reports
}

function imprintsOf(
  kind: TimestampReport['kind'],
  signature: JwsSignature,
  before: readonly UnsignedComponent[],
  archived: Buffer | undefined,
): ImprintOf {
  if (kind === 'signature') return (name) => digest(name, Buffer.from(signature.signatureText, 'latin1'))
  if (kind !== 'archive') return () => notChecked('transform-refused')
  if (before.some(({ text }) => text === undefined)) return () => notChecked('transform-refused')
  const input = archiveInput(
    signature,
    before.map(({ text }) => text!),
    archived,
  )
  return (name) => input && digest(name, input)
}

/** TS 119 182-1 §5.3.6.3: content, header, signature value, and the components before the timestamp. */
export const archiveInput = (
  { protectedText, signatureText }: JwsSignature,
  before: readonly string[],
  archived: Buffer | undefined,
): Buffer | undefined =>
  archived && Buffer.concat([archived, Buffer.from(`.${protectedText}.${signatureText}.${before.join('')}`, 'latin1')])

/** Components that say nothing here: a counter-signature that is not judged is told. */
export const unjudgedFindings = (components: readonly UnsignedComponent[]): Finding[] =>
  components.flatMap(({ name }) => (name === 'cSig' ? [finding('jades.counter-signature')] : []))
