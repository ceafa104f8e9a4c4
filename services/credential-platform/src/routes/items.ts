import { attachment, type Call, serve } from '@chancela/service-kernel/http'
import * as curriculums from '../actions/curriculums/curriculums.ts'
import { listItems, type ReadKind, readFile, readItem } from '../actions/items/item-reads.ts'
import * as transcripts from '../actions/transcripts/transcripts.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/curriculums.ts'
import type { Caller } from '../rules/rights.ts'
import type { CredentialApp } from './credential-app.ts'
import { sendFile } from './send-file.ts'

/** Curriculums and transcripts. */
export function serveCurriculums(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.curriculums.list, ({ caller, query }) => listItems(context, caller, 'Curriculum', query))
  serve(app, contract.createCurriculum, ({ caller, body, headers, now }) =>
    curriculums.create(parts, caller, body, headers['idempotency-key'], now),
  )
  serve(app, contract.curriculums.read, ({ caller, params }) => readItem(context, caller, 'Curriculum', params.id))
  serve(app, contract.curriculums.file, (call) => sendItemFile(parts, 'Curriculum', call))
  serve(app, contract.readCurriculumData, ({ caller, params }) => curriculums.readData(context, caller, params.id))
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
  serve(app, contract.transcripts.file, (call) => sendItemFile(parts, 'AcademicTranscript', call))
  serve(app, contract.cancelTranscript, ({ caller, params, body, now }) =>
    transcripts.cancel(parts, caller, params.id, body, now),
  )
  serve(app, contract.restoreTranscript, ({ caller, params, body, now }) =>
    transcripts.restore(parts, caller, params.id, body.reason, now),
  )
}

interface FileCall extends Pick<Call, 'request' | 'reply'> {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly name: string }
}

/** A file of an item, to be kept. */
export async function sendItemFile({ context }: Parts, kind: ReadKind, { caller, params, ...exchange }: FileCall) {
  const file = await readFile(context, caller, kind, params)
  const extension = file.media_type === 'application/pdf' ? 'pdf' : 'xml'
  return sendFile(context, exchange, file, attachment(`${params.name}.${extension}`))
}
