import { Refusal } from '@chancela/service-kernel/errors'
import { type Call, clientAddress, serve } from '@chancela/service-kernel/http'
import { type Approved, type DecisionParts, decide, type Rejected } from '../../actions/decide.ts'
import type { Context } from '../../context.ts'
import { approveMany, approveOne, rejectOne } from '../../contract/portal.ts'
import type { SecondFactors } from '../../parts/approvals/second-factors.ts'
import type { Decision, IdentifiedApprover } from '../../rules/frozen-approval.ts'
import type { ApproverSession } from '../approver-access.ts'
import type { PortalApp } from '../full/full-app.ts'
import { requiredId } from '../full/job-views.ts'

export interface PortalDecisionParts extends DecisionParts {
  readonly secondFactors: Pick<SecondFactors, 'require'>
}

type Deciding = Pick<Call, 'request' | 'now'> & { readonly caller: ApproverSession }

/** Registers the decisions of the portal; rejecting is done one by one. */
export function servePortalDecisions(app: PortalApp, context: Context, parts: PortalDecisionParts): void {
  const decideAs = (approver: IdentifiedApprover, now: Date) => (id: string, decision: Decision, reason?: Reason) =>
    decide(context, parts, { jobId: requiredId(id), approver, decision, reason }, now)
  const deciding = async (call: Deciding) => decideAs(await approverOf(call, parts.secondFactors), call.now)

  serve(app, approveOne, async (call) =>
    approved(await (await deciding(call))(call.params.id, 'approved', call.body?.reason)),
  )
  serve(app, rejectOne, async (call) => {
    const outcome = (await (await deciding(call))(call.params.id, 'rejected', call.body?.reason)) as Rejected
    return { jobId: outcome.jobId, terminated: outcome.terminated }
  })
  serve(app, approveMany, async (call) => {
    const decideOn = await deciding(call)
    const results = []
    for (const id of new Set(call.body.ids)) results.push(await resultOf(id, () => decideOn(id, 'approved')))
    return { results }
  })
}

type Reason = string | null

/** The caller as the decision records them; a code was given where one is asked for. */
async function approverOf(
  { caller, request, now }: Deciding,
  secondFactors: Pick<SecondFactors, 'require'>,
): Promise<IdentifiedApprover> {
  const secondFactorAt = await secondFactors.require(caller, now)
  return {
    email: caller.email,
    method: caller.method,
    ipAddress: clientAddress(request),
    userAgent: request.headers['user-agent'] ?? null,
    ...(secondFactorAt && { secondFactorAt }),
  }
}

const approved = (outcome: Approved | Rejected) => ({
  jobId: outcome.jobId,
  ok: true,
  code: null,
  released: (outcome as Approved).released,
})

/** A refusal is the result of its file, and the others are tried; any other error is a bug and fails the whole call. */
async function resultOf(jobId: string, act: () => Promise<Approved | Rejected>) {
  try {
    return approved(await act())
  } catch (error) {
    if (error instanceof Refusal) return { jobId, ok: false, code: error.code, released: false }
    throw error
  }
}
