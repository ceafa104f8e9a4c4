import { invalidField } from '@chancela/service-kernel/errors'
import { serve } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import * as contract from '../../contract/approvals.ts'
import type { Approval } from '../../parts/approvals/approval.ts'
import type { Approvals } from '../../parts/approvals/approvals.ts'
import { digestBytes, type ToSign } from '../../parts/approvals/sign-approved.ts'
import type { ContractApp } from './contract-app.ts'

/** Signatures that a holder approves at a workstation. */
export function serveApprovals(app: ContractApp, approvals: Approvals): void {
  serve(app, contract.createApproval, async ({ body: { kind = 'sign', documents = [], ...body }, caller, now }) =>
    viewOf(approvals.begin({ kind, documents, ...body, ...caller }, now)),
  )

  serve(app, contract.readApproval, async ({ params, caller, now }) =>
    viewOf(approvals.find(params.approvalId, caller.applicationId, now)),
  )

  serve(app, contract.signApproved, async ({ params, body, caller, now, signal }) => {
    const approval = approvals.find(params.approvalId, caller.applicationId, now)
    const signatures = await approvals.sign(approval, toSignIn(body), signal)
    return { signatures: signatures.map((signature) => signature.toString('base64')) }
  })

  serve(app, contract.cancelApproval, async ({ params, caller, now }) => {
    const approval = approvals.find(params.approvalId, caller.applicationId, now)
    approvals.cancel(approval)
    return viewOf(approval)
  })
}

const viewOf = ({ id, state, problem, code, expiresAt, approver }: Approval) => ({
  approvalId: id,
  state,
  problem,
  code,
  expiresAt: expiresAt.toISOString(),
  certificate: approver?.certificate.der.toString('base64') ?? null,
  chain: (approver?.chain ?? []).map(({ der }) => der.toString('base64')),
})

const [FEWEST_NONCE_BYTES, MOST_NONCE_BYTES] = [16, 64]

function toSignIn({ hashes = [], nonce }: Static<typeof contract.signApproved.body>): ToSign {
  const digests = hashes.map(({ hash, digestAlgorithm }, at) => {
    const digest = Buffer.from(hash, 'base64')
    if (digest.length !== digestBytes[digestAlgorithm])
      throw invalidField(`hashes[${at}].hash`, `must have the ${digestBytes[digestAlgorithm]} bytes of its algorithm`)
    return { digest, digestAlgorithm }
  })
  if (nonce === undefined) return { digests }
  const bytes = Buffer.from(nonce, 'base64')
  if (bytes.length < FEWEST_NONCE_BYTES || bytes.length > MOST_NONCE_BYTES)
    throw invalidField('nonce', `must have ${FEWEST_NONCE_BYTES} to ${MOST_NONCE_BYTES} bytes`)
  return { digests, nonce: bytes }
}
