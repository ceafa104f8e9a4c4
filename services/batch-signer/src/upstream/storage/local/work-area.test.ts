import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, it } from 'vitest'
import { type FileCall, type FileFault, faultyFiles } from '../../../workers/test-support/faulty-files.ts'
import type { Staged } from '../storage.ts'
import { createWorkArea } from './work-area.ts'

const now = new Date('2026-11-15T08:57:12.345Z')

async function world(decide: (call: FileCall) => FileFault | undefined = () => undefined) {
  const root = temporaryFolder()
  const work = await createWorkArea({ root, fs: faultyFiles(decide) })
  const has = (...parts: string[]) => existsSync(join(root, ...parts))
  const text = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8')
  return { root, work, has, text, id: randomUUID() }
}

const bytes = (text: string) => [Buffer.from(text)]
const noLinks = ({ operation }: FileCall): FileFault | undefined =>
  operation === 'linkSync' ? { errno: 'EPERM' } : undefined

describe('the work folders', () => {
  it('are made for their owner and group alone', async () => {
    const { root } = await world()
    expect(readdirSync(root).sort()).toEqual(['error', 'output', 'processing'])
    expect(statSync(join(root, 'output')).mode & 0o777 & ~0o750).toBe(0)
  })
})

describe.each([
  ['with hard links', () => undefined],
  ['without hard links', noLinks],
] as const)('outputs on a file system %s', (_name, decide) => {
  it('are hidden while they are written and get their name when they are durable', async () => {
    const { work, has, text, id } = await world(decide)
    const written = await work.write(id, bytes('signed'))
    expect(written.length).toBe(6)
    expect(has('output', 'a.signed.pdf')).toBe(false)
    await work.promote(id, written, 'a.signed.pdf')
    expect(text('output', 'a.signed.pdf')).toBe('signed')
    await work.settle(id)
    expect(await work.leftovers()).toEqual([])
    expect(text('output', 'a.signed.pdf')).toBe('signed')
  })

  it('are never put over an existing file', async () => {
    const { root, work, text, id } = await world(decide)
    writeFileSync(join(root, 'output', 'a.signed.pdf'), 'of a stranger')
    const written = await work.write(id, bytes('signed'))
    await expect(work.promote(id, written, 'a.signed.pdf')).rejects.toMatchObject({
      code: 'job.output-exists',
      message: `Output already exists at ${join(root, 'output', 'a.signed.pdf')}.`,
    })
    expect(text('output', 'a.signed.pdf')).toBe('of a stranger')
    await work.withdraw(id, 'a.signed.pdf')
    expect(text('output', 'a.signed.pdf')).toBe('of a stranger')
  })

  it('do not replace an empty file of a stranger either', async () => {
    const { root, work, id } = await world(decide)
    writeFileSync(join(root, 'output', 'a.signed.pdf'), '')
    const written = await work.write(id, bytes('signed'))
    await expect(work.promote(id, written, 'a.signed.pdf')).rejects.toMatchObject({ code: 'job.output-exists' })
  })

  it('can be taken back until their job has settled', async () => {
    const { work, has, id } = await world(decide)
    await work.promote(id, await work.write(id, bytes('signed')), 'a.signed.pdf')
    await work.withdraw(id, 'a.signed.pdf')
    expect(has('output', 'a.signed.pdf')).toBe(false)
  })

  it('are placed once when the placing is tried again', async () => {
    let syncs = 0
    const { work, text, id } = await world((call) => {
      const fails = call.operation === 'fsync' && call.path.endsWith('/output') && syncs++ === 0
      return fails ? { errno: 'ENOSPC' } : decide(call)
    })
    const written = await work.write(id, bytes('signed'))
    await expect(work.promote(id, written, 'a.signed.pdf')).rejects.toMatchObject({ name: 'DiskFull' })
    await work.promote(id, written, 'a.signed.pdf')
    expect(text('output', 'a.signed.pdf')).toBe('signed')
  })
})

describe('writing', () => {
  it('takes pieces, a stream or a file that was made under processing/', async () => {
    const { work, text, id } = await world()
    const pieces = [Buffer.from('one '), Buffer.alloc(0), Buffer.from('two')]
    await work.promote(id, await work.write(id, pieces), 'pieces')
    expect(text('output', 'pieces')).toBe('one two')
    const [second, third] = [randomUUID(), randomUUID()]
    const stream = (async function* () {
      yield* pieces
    })()
    await work.promote(second, await work.write(second, stream), 'stream')
    expect(text('output', 'stream')).toBe('one two')
    const scratch = await work.scratch(third)
    writeFileSync(scratch, 'made before')
    const adopted = await work.write(third, { path: scratch })
    expect(adopted.length).toBe(11)
    await work.promote(third, adopted, 'file')
    expect(text('output', 'file')).toBe('made before')
  })

  it('writes large outputs whole', async () => {
    const { work, root, id } = await world()
    const large = Buffer.alloc(5_000_001, 'abcdefg')
    await work.promote(id, await work.write(id, [large, Buffer.from('end')]), 'large')
    expect(readFileSync(join(root, 'output', 'large')).equals(Buffer.concat([large, Buffer.from('end')]))).toBe(true)
  })

  it.each(['ENOSPC', 'EIO', 'EACCES'] as const)('says what %s means for the job', async (errno) => {
    for (const operation of ['open', 'writevSync', 'fsync'] as const) {
      const { work, id } = await world((call) =>
        call.operation === operation && call.path.includes(id) ? { errno } : undefined,
      )
      const expected = errno === 'ENOSPC' ? { name: 'DiskFull' } : { code: 'job.storage-failed' }
      await expect(work.write(id, bytes('signed'))).rejects.toMatchObject(expected)
    }
  })

  it('makes names durable for many callers at once', async () => {
    let syncs = 0
    const { work, root } = await world(({ operation, path }) => {
      if (operation !== 'fsync' || !path.endsWith('/output')) return undefined
      syncs += 1
      return { delayMs: 5 }
    })
    const jobs = Array.from({ length: 20 }, () => randomUUID())
    await Promise.all(jobs.map(async (id) => work.promote(id, await work.write(id, bytes(id)), id)))
    expect(readdirSync(join(root, 'output'))).toHaveLength(20)
    expect(syncs).toBeLessThan(20)
  })

  it('refuses names that lead out of their folder', async () => {
    const { work, id } = await world()
    const written = await work.write(id, bytes('x'))
    for (const name of ['../a', 'a/b', '..', '', 'a\0b'])
      await expect(work.promote(id, written, name)).rejects.toMatchObject({ code: 'job.storage-failed' })
  })
})

const inMemory = (text: string): Staged => ({
  kind: 'memory',
  bytes: Buffer.from(text),
  length: text.length,
  sha256: '',
})

describe('error/<jobid>/', () => {
  it('gets a copy of a file that was held in memory', async () => {
    const { work, text, id } = await world()
    await work.relocate(id, { fileName: 'a.pdf', staged: inMemory('content') }, now)
    expect(text('error', id, 'a.pdf')).toBe('content')
    expect(await work.errorFile(id, 'a.pdf')).toMatch(/a\.pdf$/)
  })

  it('gets a copy of the input of a job that was not staged; the input stays', async () => {
    const { root, work, text, id } = await world()
    writeFileSync(join(root, 'in.pdf'), 'input')
    await work.relocate(id, { fileName: 'a.pdf', inputPath: join(root, 'in.pdf') }, now)
    expect(text('error', id, 'a.pdf')).toBe('input')
    expect(text('in.pdf')).toBe('input')
    await work.relocate(randomUUID(), { fileName: 'a.pdf', inputPath: join(root, 'gone.pdf') }, now)
  })

  it('gets the staged copy under the name of the file, and the signed file that was not put out', async () => {
    const { root, work, has, text, id } = await world()
    mkdirSync(join(root, 'processing', id))
    writeFileSync(join(root, 'processing', id, 'minted.pdf'), 'large')
    writeFileSync(join(root, 'processing', id, '.partial'), 'half')
    await work.write(id, bytes('signed'))
    await work.relocate(id, { fileName: 'a.pdf', inputPath: join(root, 'input', 'minted.pdf') }, now)
    expect(text('error', id, 'a.pdf')).toBe('large')
    expect(text('error', id, `${id}.out`)).toBe('signed')
    expect(readdirSync(join(root, 'error', id)).sort()).toEqual([`${id}.out`, 'a.pdf'].sort())
    expect(has('processing', id)).toBe(false)
    expect(await work.leftovers()).toEqual([])
  })

  it('is not written twice, and a second relocation of one id gets a twin with a time in its name', async () => {
    const { root, work, text, id } = await world()
    await work.relocate(id, { fileName: 'a.pdf', staged: inMemory('first') }, now)
    await work.relocate(id, { fileName: 'a.pdf', staged: inMemory('second') }, now)
    expect(text('error', id, 'a.pdf')).toBe('first')
    mkdirSync(join(root, 'processing', id))
    writeFileSync(join(root, 'processing', id, 'b.pdf'), 'another')
    await work.relocate(id, { fileName: 'b.pdf' }, now)
    expect(text('error', `${id}-20261115T085712345Z`, 'b.pdf')).toBe('another')
    expect(await work.errorFile(id, 'b.pdf')).toBe(join(root, 'error', `${id}-20261115T085712345Z`, 'b.pdf'))
    expect(await work.removeError(id)).toBe('deleted')
    expect(readdirSync(join(root, 'error'))).toEqual([])
    expect(await work.removeError(id)).toBe('missing')
  })

  it('keeps no half copy when the disk is full', async () => {
    const { root, work, id } = await world(({ operation }) =>
      operation === 'writevSync' ? { errno: 'ENOSPC' } : undefined,
    )
    const relocation = work.relocate(id, { fileName: 'a.pdf', staged: inMemory('content') }, now)
    await expect(relocation).rejects.toMatchObject({ name: 'DiskFull' })
    expect(readdirSync(join(root, 'error', id))).toEqual([])
  })

  it.each([
    ['on one disk', () => undefined],
    [
      'from another disk',
      ({ operation, path }: FileCall) =>
        operation === 'rename' && path.endsWith('refused.pdf') ? ({ errno: 'EXDEV' } as const) : undefined,
    ],
  ])('takes a refused input itself, %s', async (_name, decide) => {
    const { root, work, has, text, id } = await world(decide)
    writeFileSync(join(root, 'refused.pdf'), 'refused')
    await work.moveToError(id, join(root, 'refused.pdf'), 'refused.pdf')
    expect(text('error', id, 'refused.pdf')).toBe('refused')
    expect(has('refused.pdf')).toBe(false)
  })
})

describe('leftovers under processing/', () => {
  it('are told by job; what a stranger put there is not ours', async () => {
    const { root, work, id } = await world()
    const other = randomUUID()
    await work.write(id, bytes('x'))
    await work.scratch(other)
    writeFileSync(join(root, 'processing', 'notes.txt'), 'x')
    expect([...(await work.leftovers())].sort()).toEqual([id, other].sort())
    expect(await work.removeProcessing(id)).toBe('deleted')
    expect(await work.removeProcessing(id)).toBe('missing')
    expect(await work.leftovers()).toEqual([other])
  })
})
