import { type Call, clientAddress, serve } from '@chancela/service-kernel/http'
import { type Approved, approvingMember, type DecisionParts, decide } from '../../actions/decide.ts'
import type { Context } from '../../context.ts'
import { beginSignature, completeSignature, endSignature } from '../../contract/portal.ts'
import type { ApproverSignatures, SignatureToMake } from '../../parts/approvals/approver-signatures.ts'
import { toldIn } from '../../rules/sentences.ts'
import { ShownRefusal } from '../../rules/shown-refusal.ts'
import { displayLanguage } from '../full/culture.ts'
import type { PortalApp } from '../full/full-app.ts'
import { requiredId } from '../full/job-views.ts'

export interface SignatureRouteParts extends DecisionParts {
  readonly signatures: ApproverSignatures
}

/** Registers approving by a signature that is made in the browser of the approver. */
export function servePortalSignatures(app: PortalApp, context: Context, parts: SignatureRouteParts): void {
  const { signatures } = parts

  serve(app, beginSignature, async (call) => {
    const jobId = requiredId(call.params.id)
    const approver = await approvingMember(context, { jobId, email: call.caller.email, now: call.now })
    const certificate = Buffer.from(call.body.certificate, 'base64')
    const chain = (call.body.chain ?? []).map((issuer) => Buffer.from(issuer, 'base64'))
    const begin = async () => ({
      toMake: toMakeView(await signatures.prepare({ jobId, approver, certificate, chain })),
    })
    return shownOr(call, { toMake: null }, begin)
  })

  serve(app, completeSignature, async (call) => {
    const { caller, params, body, request, now } = call
    const jobId = requiredId(params.id)
    const approver = await approvingMember(context, { jobId, email: caller.email, now })
    const identified = {
      email: caller.email,
      method: caller.method,
      ipAddress: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? null,
    }
    const asked = { jobId, approver, token: body.token, signature: Buffer.from(body.signature, 'base64') }
    const complete = () =>
      signatures.complete(asked, (signature) =>
        decide(
          context,
          parts,
          { jobId, approver: identified, decision: 'approved', reason: body.reason, signature },
          now,
        ),
      )
    return shownOr(call, { approved: null }, async () => {
      const { released } = (await complete()) as Approved
      return { approved: { jobId, ok: true, code: null, released } }
    })
  })

  serve(app, endSignature, async ({ params, body, caller, now, reply }) => {
    const jobId = requiredId(params.id)
    await approvingMember(context, { jobId, email: caller.email, now })
    signatures.count(body.outcome, 'browser')
    return reply.code(204).send()
  })
}

const toMakeView = ({ toSign, digest, expiresAt, ...more }: SignatureToMake) => ({
  ...more,
  toSign: Buffer.from(toSign).toString('base64'),
  digest: Buffer.from(digest).toString('base64'),
  expiresAt: expiresAt.toISOString(),
})

/** What the approver is shown in place of the result. */
async function shownOr<Result extends object, None extends object>(
  call: Pick<Call, 'request' | 'locale'>,
  none: None,
  work: () => Promise<Result>,
) {
  try {
    return { ...(await work()), shown: null }
  } catch (error) {
    if (!(error instanceof ShownRefusal)) throw error
    const { code, said } = error
    return { ...none, shown: { code, message: toldIn(displayLanguage(call), said.text, said.told) } }
  }
}
