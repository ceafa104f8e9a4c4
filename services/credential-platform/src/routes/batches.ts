import { Readable } from 'node:stream'
import { attachment, bodyPieces, type Call, serve } from '@chancela/service-kernel/http'
import { csvTemplate } from '../actions/batches/csv-template.ts'
import { failedRows } from '../actions/batches/failed-rows.ts'
import type { BatchOptions } from '../actions/batches/makers.ts'
import * as batches from '../actions/batches/read-batches.ts'
import { takeIn } from '../actions/batches/take-in.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/batches.ts'
import { CREATION_BYTES } from '../contract/items.ts'
import { type BatchFormat, type BatchKind, batchKinds } from '../contract/vocabulary.ts'
import { refuse } from '../rules/refuse.ts'
import type { CredentialApp } from './credential-app.ts'
import { xmlBody } from './uploaded-xml.ts'

/** Batches of every kind are treated alike. */
export function serveBatches(app: CredentialApp, parts: Parts): void {
  for (const kind of batchKinds) serveKind(app, parts, kind)
}

function serveKind(app: CredentialApp, parts: Parts, kind: BatchKind): void {
  const { context } = parts
  // The routes of the kinds differ in their options alone.
  const routes = contract.batches[kind] as (typeof contract.batches)['Degree']
  serve(app, routes.create, async ({ caller, query, headers, request, now }) => {
    const options = query as BatchOptions
    return takeIn(parts, caller, { kind, options, ...(await uploadOf(request)) }, headers['idempotency-key'], now)
  })
  serve(app, routes.list, ({ caller, query }) => batches.listed(context, caller, kind, query))
  serve(app, routes.template, ({ query, reply }) => {
    reply.header('content-disposition', attachment('template.csv'))
    return csvTemplate(kind, query)
  })
  serve(app, routes.read, ({ caller, params }) => batches.read(context, caller, kind, params.id))
  serve(app, routes.cancel, ({ caller, params, now }) => batches.cancel(context, caller, kind, params.id, now))
  serve(app, routes.rows, ({ caller, params, query }) => batches.rows(context, caller, kind, params.id, query))
  serve(app, routes.errors, async ({ caller, params, reply }) => {
    const { format, stream } = await failedRows(context, caller, kind, params.id)
    const { mediaType, name } = errorFiles[format]
    reply.type(mediaType).header('content-disposition', attachment(name)).header('cache-control', 'private, no-store')
    return stream
  })
}

const errorFiles: Readonly<Record<BatchFormat, { readonly mediaType: string; readonly name: string }>> = {
  Csv: { mediaType: 'text/csv; charset=utf-8', name: 'errors.csv' },
  Json: { mediaType: 'application/x-ndjson', name: 'errors.ndjson' },
}

/** Rows as they are stored: CSV and lines of JSON as they come, a list of rows as lines. */
async function uploadOf(request: Call['request']): Promise<{ format: BatchFormat; pieces: AsyncIterable<Uint8Array> }> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/csv') return { format: 'Csv', pieces: bodyPieces(request) }
  if (type === 'application/x-ndjson') return { format: 'Json', pieces: bodyPieces(request) }
  const lines = rowsIn(await xmlBody(request, CREATION_BYTES)).map((row) => Buffer.from(`${JSON.stringify(row)}\n`))
  return { format: 'Json', pieces: Readable.from(lines) }
}

function rowsIn(body: Buffer): readonly unknown[] {
  const { rows, ...others } = parsed(body)
  const problems = {
    ...Object.fromEntries(Object.keys(others).map((name) => [name, ['is not known here']])),
    ...(!Array.isArray(rows) && { rows: ['must be a list'] }),
  }
  if (Object.keys(problems).length > 0) throw refuse('invalid-request', { fields: problems })
  return rows as readonly unknown[]
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(body.toString())
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found }
  } catch (error) {
    throw refuse('invalid-request', { fields: { body: ['must be JSON'] } }, error)
  }
  throw refuse('invalid-request', { fields: { body: ['must be an object'] } })
}
