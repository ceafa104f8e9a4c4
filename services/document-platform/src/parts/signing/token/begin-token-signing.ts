import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { isCpf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import { type Acting, requireOpen } from '../../../actions/participants/participant-access.ts'
import type { beginTokenSigning as route } from '../../../contract/token-signing.ts'
import { findOrganization } from '../../../store/organization-reads.ts'
import { keepTokenSigning, withdrawTokenSignings } from '../../../store/token-signings.ts'
import { requireCertificatesAllowed } from '../sign-with-certificate.ts'
import { orNotAvailable, siteOf, type TokenSigning } from './open-token-signing.ts'

/** How long the end can be read after the approval has expired. */
const READABLE = 10 * MINUTE

/** Asks for a token of the participant. What was begun before is withdrawn: one window at a time. */
export async function beginTokenSigning(
  token: TokenSigning,
  acting: Acting,
  { ticket: _ticket, ...request }: Static<typeof route.body>,
): Promise<Static<typeof route.answer>> {
  requireOpen(acting, 'sign')
  requireCertificatesAllowed(acting)
  const { context } = token
  const { document, participant } = acting
  await withdraw(token, participant.id)
  const organization = await findOrganization(context.store.db, document.organization_id)
  const approval = await orNotAvailable(token, (server) =>
    server.begin({
      site: siteOf(context).slice(0, 200),
      requester: (organization?.name ?? document.created_by_name).slice(0, 200),
      documents: [document.name.slice(0, 300)],
      ...(isCpf(participant.identifier ?? '') && { cpf: participant.identifier! }),
    }),
  )
  const id = randomUUID()
  await keepTokenSigning(context.store.db, {
    id,
    approval_id: approval.id,
    document_id: document.id,
    participant_id: participant.id,
    original_digest: document.original_digest,
    wishes: JSON.stringify(request),
    expires_at: plus(new Date(approval.expiresAt), READABLE).toISOString(),
    taken_at: null,
    outcome: null,
  })
  return { id, code: approval.code, expiresAt: approval.expiresAt }
}

/** Withdraws what a participant has begun; a window that cannot be closed closes by itself. */
export async function withdraw({ context, server }: TokenSigning, participantId: string): Promise<void> {
  for (const { approval_id } of await withdrawTokenSignings(context.store.db, participantId))
    await server
      ?.cancel(approval_id)
      .catch((err: unknown) => context.logger.warn({ err }, 'request to a workstation could not be withdrawn'))
}
