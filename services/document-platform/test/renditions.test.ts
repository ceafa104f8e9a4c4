import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { blanksPdf, crowdedPdf, manyPagesPdf, samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { pdfText } from './test-support/pdf-text.ts'
import {
  createDocument,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  startPlatform,
  upload,
} from './test-support/platform-world.ts'
import { contentOf } from './test-support/signers.ts'

const tooComplex = { status: 422, body: { code: 'DocumentTooComplex' } }

const printable = async (world: PlatformWorld, id: string) => {
  const { status, bytes } = await contentOf(world, id, 'PrinterFriendlyVersion')
  return status === 200 ? { status, body: bytes } : { status, body: JSON.parse(bytes.toString()) }
}

const made = (world: PlatformWorld, file: Uint8Array) => createDocument(world, [signer(people.ana)], { file })

const create = (world: PlatformWorld, id: string, over: object = {}) =>
  world.json('POST', '/api/documents', {
    files: [{ id, name: 'a.pdf', displayName: 'a', contentType: 'application/pdf' }],
    flowActions: [signer(people.ana)],
    ...over,
  })

/** How many calls of somebody else were answered while this was still under way. */
async function answeredMeanwhile(world: PlatformWorld, work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    const { status } = await world.call('GET', '/api/health')
    expect(status).toBe(200)
    if (!isOver) answered += 1
  }
  await over
  return answered
}

/** So many pages that drawing them takes a while. */
const slow = manyPagesPdf(300)

/** So many that drawing them would take longer than a test waits; no test lets it end. */
const endless = manyPagesPdf(9000)

describe('a file that costs much', () => {
  const open = sharedPlatform('SQLite')

  test.each([100, 900])(
    'with %i MB of blanks that nothing leads to is drawn as if they were not there',
    async (size) => {
      const world = await open()
      const id = await made(world, blanksPdf('Contrato', size, { listed: false }))
      const { status, body } = await printable(world, id)
      expect(status).toBe(200)
      expect(await pdfText(body)).toContain('Contrato')
      expect(body.length).toBeLessThan(200_000)
    },
  )

  test.each([100, 900])('with %i MB of blanks around its page is refused when it is sent', async (size) => {
    const world = await open()
    const file = blanksPdf('Contrato', size, { listed: true })
    expect(await create(world, await upload(world, file))).toMatchObject(tooComplex)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'a.pdf')
    const answer = await world.call('POST', '/api/uploads', { body: form })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(tooComplex)
  })

  test('with more pages than are drawn is taken, and refused where it would be drawn', async () => {
    const world = await open()
    const id = await made(world, manyPagesPdf(10_001))
    expect(await printable(world, id)).toMatchObject(tooComplex)
    const { status, bytes } = await contentOf(world, id, 'OriginalWithMarks')
    expect({ status, body: JSON.parse(bytes.toString()) }).toMatchObject(tooComplex)
  })

  test('does not keep others waiting: they are answered while it is drawn', async () => {
    const world = await open()
    const id = await made(world, slow)
    const drawing = printable(world, id)
    expect(await answeredMeanwhile(world, drawing)).toBeGreaterThan(10)
    expect((await drawing).status).toBe(200)
  })

  test('leaves the event loop to others', async () => {
    const world = await open()
    const id = await made(world, slow)
    const before = performance.eventLoopUtilization()
    expect((await printable(world, id)).status).toBe(200)
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })
})

describe('the limits of renditions', () => {
  const within = (Renditions: Readonly<Record<string, number>>) => startPlatform('SQLite', { settings: { Renditions } })

  test('what needs more memory than there is for it is refused, and nothing else is', async () => {
    const world = await within({ MemoryMb: 64 })
    const id = await made(world, samplePdf('Contrato'))
    const costly = await upload(world, crowdedPdf(900_000))
    const [refused, drawn] = await Promise.all([create(world, costly), printable(world, id)])
    expect(refused).toMatchObject(tooComplex)
    expect(drawn.status).toBe(200)
    expect(await create(world, await upload(world, samplePdf('Outro')))).toMatchObject({ status: 200 })
  })

  test('what takes longer than allowed is refused', async () => {
    const patient = await startPlatform('SQLite')
    const id = await made(patient, endless)
    const world = await startPlatform('SQLite', { settings: { Renditions: { Seconds: 1 } }, after: patient })
    expect(await printable(world, id)).toMatchObject(tooComplex)
    expect(world.log()).not.toContain('request failed')
  })

  test('more pages, or more bytes, than one file may be made of are refused, also over several files', async () => {
    const world = await within({ MaxPages: 3, MaxInputBytes: 5000 })
    const envelope = { isEnvelope: true, envelopeName: 'Envelope' }
    const files = (ids: readonly string[]) => ({
      ...envelope,
      files: ids.map((id) => ({ id, name: 'a.pdf', displayName: 'a', contentType: 'application/pdf' })),
    })
    const [two, small, large] = [
      await upload(world, manyPagesPdf(2)),
      await upload(world, samplePdf('A')),
      await upload(world, samplePdf('B', 4000)),
    ]
    expect(await create(world, two, files([two, small]))).toMatchObject({ status: 200 })
    expect(await create(world, two, files([two, two]))).toMatchObject(tooComplex)
    expect(await create(world, large, files([large, small]))).toMatchObject(tooComplex)
  })

  test('when too many wait, the service says that it is busy', async () => {
    const world = await within({ Workers: 1, MaxQueued: 1 })
    const id = await made(world, slow)
    const answers = await Promise.all([1, 2, 3, 4].map(() => printable(world, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503])
    expect(answers.find(({ status }) => status === 503)).toMatchObject({ body: { code: 'ServiceBusy' } })
  })

  test('a client that leaves takes its rendition along: the only thread is there for the next', async () => {
    const world = await within({ Workers: 1, Seconds: 600 })
    const [costly, cheap] = [await made(world, endless), await made(world, samplePdf('Contrato'))]
    const leaving = new AbortController()
    const path = `/api/documents/${costly}/content?type=PrinterFriendlyVersion`
    const left = world.call('GET', path, { signal: leaving.signal })
    const next = printable(world, cheap)
    await world.call('GET', '/api/health')
    leaving.abort()
    await expect(left).rejects.toThrow(DOMException)
    expect((await next).status).toBe(200)
    expect(world.log()).not.toContain('request failed')
  })

  test('a stop ends them at once', async () => {
    const world = await within({ Seconds: 600 })
    const id = await made(world, endless)
    const drawing = printable(world, id)
    await world.call('GET', '/api/health')
    await world.stop()
    expect(await drawing).toMatchObject({ status: 503, body: { code: 'ServiceBusy' } })
  })
})

describe('a PDF that cannot be read', () => {
  const open = sharedPlatform('SQLite')

  async function encrypted(): Promise<Buffer> {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'in.pdf'), samplePdf('Contrato'))
    return (await runTool('qpdf', ['--encrypt', 'user', 'owner', '256', '--', 'in.pdf', '-'], { folder })).stdout
  }

  const cases: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
    ['encrypted', 'DocumentEncrypted', encrypted],
    ['cut off', 'DocumentDamaged', async () => samplePdf('Contrato').subarray(0, 900)],
    ['without pages', 'DocumentDamaged', async () => manyPagesPdf(0)],
    ['behind other bytes', 'DocumentDamaged', async () => Buffer.concat([Buffer.from('x\n'), samplePdf('Contrato')])],
  ]

  test.each(cases)(
    'is refused with a code of its own when it is sent, and when it is used: %s',
    async (_, code, make) => {
      const world = await open()
      const file = await make()
      const form = new FormData()
      form.set('content', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'a.pdf')
      const answer = await world.call('POST', '/api/uploads', { body: form })
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 422, body: { code } })
      expect(await create(world, await upload(world, file))).toMatchObject({ status: 422, body: { code } })
    },
  )

  test('is taken when it is sent as something else, or is no PDF at all: uploads may be anything', async () => {
    const world = await open()
    for (const [bytes, type] of [
      [await encrypted(), 'application/octet-stream'],
      [Buffer.from('no PDF'), 'application/pdf'],
    ] as const) {
      const form = new FormData()
      form.set('content', new Blob([new Uint8Array(bytes)], { type }), 'anexo')
      expect((await world.call('POST', '/api/uploads', { body: form })).status).toBe(200)
    }
  })
})
