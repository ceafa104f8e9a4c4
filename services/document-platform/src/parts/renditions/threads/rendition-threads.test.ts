import { crowdedPdf, manyPagesPdf, samplePdf } from '@chancela/testkit/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SignaturesInfo } from '../rendition-info.ts'
import { sampleInfo } from '../test-support/sample-info.ts'
import { RenditionThreads, type ThreadLimits } from './rendition-threads.ts'
import type { RenditionTask } from './rendition-work.ts'

const within = { pages: 10_000, decodedTotal: 64 * 1024 * 1024 }

const read = (pdf: Uint8Array): RenditionTask => ({
  name: 'read',
  pdfs: [new Uint8Array(pdf)],
  given: undefined,
  within,
})

const printable = (pdf: Uint8Array): RenditionTask => ({
  name: 'printerFriendly',
  pdfs: [new Uint8Array(pdf)],
  given: { info: sampleInfo, language: 'pt' },
  within,
})

function threads(over: Partial<ThreadLimits> = {}): RenditionThreads {
  const made = new RenditionThreads({ threads: 1, maxQueued: 10, memoryMb: 512, seconds: 600, ...over })
  onTestFinished(() => made.stop())
  return made
}

/** So many pages that drawing them would take longer than a test waits; no test lets it end. */
const endless = manyPagesPdf(9000)

describe('threads for renditions', () => {
  test('do what they are asked for, or tell why not', async () => {
    const pool = threads()
    expect(await pool.run(async () => read(samplePdf('Contrato')))).toEqual({ kind: 'done', bytes: undefined })
    const drawn = await pool.run(async () => printable(samplePdf('Contrato')))
    expect(drawn.kind === 'done' && Buffer.from(drawn.bytes!).toString('latin1', 0, 5)).toBe('%PDF-')
    for (const task of [read, printable])
      expect(await pool.run(async () => task(Buffer.from('no PDF')))).toMatchObject({
        kind: 'trouble',
        trouble: { kind: 'not-a-pdf' },
      })
  })

  test('are left at once by who goes away, and are there for the next', async () => {
    const pool = threads()
    const leaving = new AbortController()
    const left = pool.run(async () => printable(endless), leaving.signal)
    const waiting = new AbortController()
    const neverBegun = pool.run(async () => expect.fail('It was left while it waited.'), waiting.signal)
    const next = pool.run(async () => read(samplePdf('Contrato')))
    waiting.abort()
    expect(await neverBegun).toEqual({ kind: 'left' })
    leaving.abort()
    expect(await left).toEqual({ kind: 'left' })
    expect(await next).toMatchObject({ kind: 'done' })
  })

  test('turn away whoever comes when too many wait, and everybody once they are stopped', async () => {
    const pool = threads({ maxQueued: 1 })
    const [running, waiting] = [1, 2].map(() => pool.run(async () => printable(endless)))
    expect(await pool.run(async () => read(samplePdf('Contrato')))).toEqual({ kind: 'busy' })
    pool.stop()
    expect(await Promise.all([running, waiting])).toEqual([{ kind: 'busy' }, { kind: 'busy' }])
    expect(await pool.run(async () => read(samplePdf('Contrato')))).toEqual({ kind: 'busy' })
  })

  test('end with what needs too much memory or time, and only with that', async () => {
    const trouble = { kind: 'trouble', trouble: { kind: 'too-complex' } }
    const small = threads({ memoryMb: 64 })
    expect(await small.run(async () => read(crowdedPdf(900_000)))).toMatchObject(trouble)
    expect(await small.run(async () => read(samplePdf('Contrato')))).toMatchObject({ kind: 'done' })
    const short = threads({ seconds: 1 })
    expect(await short.run(async () => printable(endless))).toMatchObject(trouble)
  })

  test('take a failure of their own for what it is', async () => {
    const given = { info: {} as SignaturesInfo, language: 'pt' } as const
    const wrong: RenditionTask = { name: 'signaturesManifest', pdfs: [], given, within }
    await expect(threads().run(async () => wrong)).rejects.toThrow(Error)
  })
})
