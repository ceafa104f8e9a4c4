import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import { fromBytes } from '../../rules/bio/likeness.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import type { BioSubjectRow } from '../../store/bio/tables.ts'

type Kept = Pick<BioSubjectRow, 'id' | 'subscription_id' | 'template'>

/** Undefined for a template that does not open: one that was carried here from elsewhere is nobody's. */
export function openTemplate(
  { secrets, logger }: Pick<Context, 'secrets' | 'logger'>,
  row: Kept,
): Float32Array | undefined {
  if (row.template === null) return undefined
  try {
    return fromBytes(secrets.open(row.template, bioSeal('bio_subject', row, 'template')))
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    logger.error({ err: error, subjectId: row.id }, 'a biometric template does not open')
    return undefined
  }
}
