import { attachment, type Call, serve } from '@chancela/service-kernel/http'
import * as curriculums from '../actions/curriculums/curriculums.ts'
import { listItems, type ReadKind, readFile, readItem } from '../actions/items/item-reads.ts'
import * as transcripts from '../actions/transcripts/transcripts.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/curriculums.ts'
import type { Caller } from '../rules/rights.ts'
import type { CredentialApp } from './credential-app.ts'

/** Curriculums and transcripts. */
export function serveCurriculums(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.curriculums.list, ({ caller, query }) => listItems(context, caller, 'Curriculum', query))
  serve(app, contract.createCurriculum, ({ caller, body, headers, now }) =>
    curriculums.create(parts, caller, body, headers['idempotency-key'], now),
  )
  serve(app, contract.curriculums.read, ({ caller, params }) => readItem(context, caller, 'Curriculum', params.id))
  serve(app, contract.curriculums.file, (call) => sendFile(parts, 'Curriculum', call))
  serve(app, contract.cancelCurriculum, ({ caller, params, body, now }) =>
    curriculums.cancel(parts, caller, params.id, body.reason, now),
  )

  serve(app, contract.transcripts.list, ({ caller, query }) => listItems(context, caller, 'AcademicTranscript', query))
  serve(app, contract.createTranscript, ({ caller, body, headers, now }) =>
    transcripts.create(parts, caller, body, headers['idempotency-key'], now),
  )
  serve(app, contract.transcripts.read, ({ caller, params }) =>
    readItem(context, caller, 'AcademicTranscript', params.id),
  )
  serve(app, contract.transcripts.file, (call) => sendFile(parts, 'AcademicTranscript', call))
  serve(app, contract.cancelTranscript, ({ caller, params, body, now }) =>
    transcripts.cancel(parts, caller, params.id, body, now),
  )
  serve(app, contract.restoreTranscript, ({ caller, params, body, now }) =>
    transcripts.restore(parts, caller, params.id, body.reason, now),
  )
}

interface FileCall {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly name: string }
  readonly headers: { readonly 'if-none-match'?: string }
  readonly reply: Call['reply']
}

/** Exact bytes; whoever has them already is told so. */
export async function sendFile({ context }: Parts, kind: ReadKind, { caller, params, headers, reply }: FileCall) {
  const { file, bytes } = await readFile(context, caller, kind, params)
  reply.header('etag', `"${file.digest}"`).header('cache-control', 'private, no-cache')
  if (hasIt(headers['if-none-match'], file.digest)) return reply.code(304).send()
  const extension = file.media_type === 'application/pdf' ? 'pdf' : 'xml'
  return reply
    .type(file.media_type)
    .header('content-disposition', attachment(`${params.name}.${extension}`))
    .send(await bytes())
}

const hasIt = (header: string | undefined, digest: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', `"${digest}"`].includes(tag.trim().replace(/^W\//, '')))
