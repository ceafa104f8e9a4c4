import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { CERTIFICATES_CHANNEL, type Certificates } from '../parts/certificates/certificates.ts'
import { certificatesToJudge } from '../store/certificate-rows.ts'

/** Concurrent validations: they wait for authorities, and other work continues meanwhile. */
const AT_ONCE = 4

/** Validates certificates with an old verdict again, in batches. */
export const recheckCertificates = (context: Context, certificates: Certificates): Worker =>
  sweeper(context, { name: 'certificate recheck', every: MINUTE / 4, channel: CERTIFICATES_CHANNEL }, async () => {
    const now = context.clock()
    const since = plus(now, -context.settings.Certificates.RecheckMinutes * MINUTE)
    const due = await certificatesToJudge(context.store.db, since, AT_ONCE)
    await Promise.all(due.map((row) => certificates.judge(row, now)))
    return due.length === AT_ONCE
  })
