import { type ApiKeyCaller, attachment, type Call, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import * as contract from '../../contract/signatures.ts'
import { fetchDocument } from '../../parts/signing/fetch-document.ts'
import type { SigningPart } from '../../parts/signing/open-signing.ts'
import { readBatch } from '../../parts/signing/read-batch.ts'
import { readIncomingDocument } from '../../parts/signing/read-documents.ts'
import type { BatchItem, BatchOutcome } from '../../parts/signing/signing.ts'
import type { ContractApp } from './contract-app.ts'

/** Signing, and the signed documents. */
export function serveSignatures(app: ContractApp, { settings, clock }: Context, parts: SigningPart): void {
  const { signing, signatureService: service, log, room } = parts
  const { MaxDocumentBytes: maxBytes, MaxBatchItems: maxItems } = settings.Signing

  serve(app, contract.signDocument, async (call) => {
    const { sessionId, document } = await readIncomingDocument(call.request, { maxBytes, room })
    try {
      const { signatureId, acceptedAt } = await signing.signOne(requestOf(call, sessionId), document)
      return { signatureId, status: 'PROCESSING', acceptedAt: acceptedAt.toISOString() }
    } finally {
      document?.release()
    }
  })

  serve(app, contract.signBatch, async (call) => {
    const { sessionId, items } = await readBatch(call.request, { maxBytes, maxItems, room })
    try {
      const outcomes = await signing.signBatch(requestOf(call, sessionId), items)
      return { results: outcomes.map(resultOf), acceptedAt: clock().toISOString() }
    } finally {
      for (const item of items) release(item)
    }
  })

  serve(app, contract.readDocument, async ({ params, reply, signal }) => {
    const { fileName, body, length } = await fetchDocument({ service, log }, params.signatureId, signal)
    reply.header('content-disposition', attachment(fileName))
    if (length !== undefined) reply.header('content-length', length)
    return body
  })
}

const requestOf = (
  { caller, correlationId, signal }: Pick<Call<never, ApiKeyCaller>, 'caller' | 'correlationId' | 'signal'>,
  sessionId: string,
) => ({ sessionId, applicationId: caller.applicationId, correlationId, client: signal })

const release = (item: BatchItem): void => {
  if ('release' in item) item.release()
}

function resultOf(outcome: BatchOutcome) {
  const { fileName } = outcome
  if ('signatureId' in outcome)
    return { fileName, signatureId: outcome.signatureId, status: 'PROCESSING', error: null } as const
  const { code, message, details } = outcome.refusal
  const error = { code, message, ...(details !== undefined && { details }) }
  return { fileName, signatureId: null, status: 'ERROR', error } as const
}
