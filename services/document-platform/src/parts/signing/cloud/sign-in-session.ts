import type { CloudHub } from '@chancela/service-links'
import type { Static } from 'typebox'
import { actingByTicket } from '../../../actions/participants/participant-access.ts'
import type { beginCloudSigning, CloudOutcome } from '../../../contract/cloud-signing.ts'
import { readCertificate } from '../../../rules/participant-certificate.ts'
import { refuse } from '../../../rules/refuse.ts'
import type { CloudSigningRow } from '../../../store/tables.ts'
import type { Origin } from '../evidence.ts'
import { completeSignature, startSignature } from '../sign-with-certificate.ts'
import { openToken } from '../signature-token.ts'
import type { CloudSigning } from './open-cloud-signing.ts'

interface Authorized {
  /** The session value the hub passed in the redirect. */
  readonly session: string
  readonly key: string
  readonly ticket: string
  readonly row: CloudSigningRow
  readonly request: Omit<Static<typeof beginCloudSigning.body>, 'ticket'>
  readonly origin: Origin
}

/** Signs as with any certificate: the certificate, and so the bytes to sign, are only known now. */
export async function signInSession(
  { context, signing }: CloudSigning,
  hub: CloudHub,
  { session, key, ticket, row, request, origin }: Authorized,
  now: Date,
): Promise<CloudOutcome> {
  const acting = async () => {
    const found = await actingByTicket(context, key, ticket)
    // Signatures of others may have come meanwhile; another file may not.
    if (found.document.original_digest !== row.original_digest) throw refuse('DocumentChanged')
    return found
  }
  await acting()
  const { content, alias } = await hub.certificate(session)
  const begun = await startSignature(signing, acting, readCertificate(content), request, now)
  if (!begun.success) return 'certificate-invalid'
  try {
    const signature = await hub.signHash({
      session,
      hash: begun.toSignHash!,
      digestAlgorithm: begun.digestAlgorithm!,
      certificateAlias: alias,
    })
    // The provider may have taken its time.
    const then = context.clock()
    const completion = { signature, origin, notifies: true }
    const completed = await completeSignature(signing, openToken(context, begun.token!, then), completion, then)
    return completed.success ? 'signed' : 'certificate-invalid'
  } finally {
    // Also where the provider fails: nobody waits in vain.
    signing.turns.leave(row.participant_id)
  }
}
