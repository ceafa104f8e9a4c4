import { ambiguousPdfs, HIDDEN, SHOWN, samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { pdfText } from './test-support/pdf-text.ts'
import { type PlatformWorld, people, sharedPlatform, signer, upload } from './test-support/platform-world.ts'
import { contentOf } from './test-support/signers.ts'

const codes = { damaged: 'DocumentDamaged', ambiguous: 'DocumentAmbiguous' } as const
const mark = { topLeftX: 60, topLeftY: 300, width: 200, height: 50, pageNumber: 1 }

async function sendFile(world: PlatformWorld, file: Uint8Array) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'contrato.pdf')
  const answer = await world.call('POST', '/api/uploads', { body: form })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

const creation = (ids: readonly string[], over: object = {}) => ({
  files: ids.map((id) => ({ id, name: 'contrato.pdf', displayName: 'contrato', contentType: 'application/pdf' })),
  flowActions: [signer(people.ana, { prePositionedMarks: [mark] })],
  ...over,
})

const create = (world: PlatformWorld, ids: readonly string[], over: object = {}) =>
  world.json('POST', '/api/documents', creation(ids, over))

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

describe('a file that two readers may understand as two documents', () => {
  const open = sharedPlatform('SQLite')
  const all = Object.entries(ambiguousPdfs)

  const bytesAt = async (world: PlatformWorld, location: string) =>
    Buffer.from(await (await fetch(`${world.baseUrl}${location}`)).arrayBuffer())

  test.each(all.filter(([, { verdict }]) => verdict === 'read'))(
    'shows the same everywhere: %s',
    async (_what, { make }) => {
      const world = await open()
      const file = make()
      const seen = lines(await pdfText(file))
      expect(seen).toEqual([SHOWN])
      const { status, body: uploaded } = await sendFile(world, file)
      expect(status).toBe(200)
      expect((await bytesAt(world, uploaded.location)).equals(file)).toBe(true)
      const { body: made } = await create(world, [uploaded.id])
      const id = made[0].documentId as string
      const { body: preview } = await world.json('GET', `/api/documents/${id}/ticket?type=Original&preview=true`)
      expect((await bytesAt(world, preview.location)).equals(file)).toBe(true)
      for (const type of ['PrinterFriendlyVersion', 'OriginalWithMarks']) {
        const text = await pdfText((await contentOf(world, id, type)).bytes)
        expect([type, lines(text).includes(SHOWN), text.includes(HIDDEN)]).toEqual([type, true, false])
      }
      const annex = await upload(world, samplePdf('Anexo'))
      const envelope = await create(world, [uploaded.id, annex], { isEnvelope: true, envelopeName: 'Envelope' })
      const merged = await contentOf(world, envelope.body[0].documentId, 'Original')
      expect(lines(await pdfText(merged.bytes))).toEqual([SHOWN, 'Anexo'])
      expect(merged.bytes.includes(HIDDEN)).toBe(false)
      const filled = await create(world, [uploaded.id], { additionalInfo: { metadata: { Title: 'Contrato' } } })
      const titled = await contentOf(world, filled.body[0].documentId, 'Original')
      expect(lines(await pdfText(titled.bytes))).toEqual([SHOWN])
    },
  )

  test.each(all.filter(([, { verdict }]) => verdict !== 'read'))(
    'is refused by name, wherever it comes in: %s',
    async (_what, { make, verdict }) => {
      const world = await open()
      const refused = { status: 422, body: { code: codes[verdict as keyof typeof codes] } }
      const answer = await sendFile(world, make())
      expect(answer).toMatchObject(refused)
      expect(answer.body.details).toEqual({ name: 'contrato.pdf', reason: expect.any(String) })
      const id = await upload(world, make())
      expect(await create(world, [id])).toMatchObject(refused)
      expect(await create(world, [id], { isEnvelope: true, envelopeName: 'Envelope' })).toMatchObject(refused)
      expect((await world.json('GET', '/api/documents')).body.items).toEqual([])
    },
  )
})
