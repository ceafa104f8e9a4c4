// What a client application does to get documents signed.
import { samplePdf } from '@chancela/testkit/samples'
import { expect, vi } from 'vitest'
import { type Answer, readAnswer, type SessionWorld } from './session-world.ts'
import type { SignatureService } from './signature-service.ts'
import { newHolder, PIN } from './vault.ts'

/** A session of a new holder. */
export async function newSession(world: SessionWorld, person: Parameters<typeof newHolder>[1] = {}) {
  const { cpf, ...held } = await newHolder(world, person)
  return { ...held, ...(await openSession(world, cpf)) }
}

export async function openSession(world: SessionWorld, cpf: string, more: object = {}) {
  const { status, body } = await world.json('POST', '/v1/sessions', { cpf, pin: PIN, ...more })
  expect([status, body.error]).toEqual([201, undefined])
  return body as { readonly sessionId: string; readonly cpf: string; readonly expiresAt: string }
}

let documents = 0

/** A unique PDF. */
export const newPdf = (bytes?: number): Buffer => samplePdf(`documento ${documents++}`, bytes)

export const signJson = (world: SessionWorld, sessionId: string, document: Buffer, more: object = {}) =>
  world.json('POST', '/v1/signatures', {
    sessionId,
    document: document.toString('base64'),
    fileName: 'contrato.pdf',
    ...more,
  })

/** Files of a form by their names. */
export type Files = readonly (readonly [fileName: string, content: Buffer | string])[]

export async function postForm(
  world: Pick<SessionWorld, 'call'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  part: string,
  files: Files,
): Promise<Answer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const [name, content] of files)
    body.append(part, new Blob([content as unknown as ArrayBuffer], { type: 'application/pdf' }), name)
  return readAnswer(await world.call('POST', path, { body }))
}

export const signForm = (world: SessionWorld, sessionId: string, document: Buffer, fileName = 'contrato.pdf') =>
  postForm(world, '/v1/signatures', { sessionId }, 'document', [[fileName, document]])

export const signBatch = (world: SessionWorld, sessionId: string, files: Files) =>
  postForm(world, '/v1/signatures/batch', { sessionId }, 'files', files)

export const fetchSigned = (world: SessionWorld, signatureId: string): Promise<Response> =>
  world.call('GET', `/v1/signatures/${signatureId}/document`)

/** The same, once it is signed. */
export const fetchWhenReady = (world: SessionWorld, signatureId: string): Promise<Response> =>
  vi.waitUntil(
    async () => {
      const answer = await fetchSigned(world, signatureId)
      return answer.status !== 409 && answer
    },
    { interval: 20 },
  )

/** The log of signatures, the oldest first. */
export const rowsOf = ({ store }: Pick<SessionWorld, 'store'>) =>
  store.db.selectFrom('signature').selectAll().orderBy('id').execute()

/** The rows, once none is open. */
export async function settledRows(world: Pick<SessionWorld, 'store'>) {
  return vi.waitUntil(
    async () => {
      const rows = await rowsOf(world)
      return rows.every(({ look_at }) => look_at === null) && rows
    },
    { interval: 20 },
  )
}

/** Status of a document at the signature service. */
export const statusAt = async (service: SignatureService, documentId: string): Promise<string> =>
  ((await service.json('GET', `/api/documents/${documentId}`)).body as { status: string }).status
