import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, it } from 'vitest'
import { type FileCall, type FileFault, faultyFiles } from '../../../workers/test-support/faulty-files.ts'
import type { OutputBytes, Staged, WorkArea } from '../storage.ts'
import { createWorkArea } from './work-area.ts'
import { HIDDEN_FOLDER } from './work-folders.ts'

const now = new Date('2026-11-15T08:57:12.345Z')

async function world(decide: (call: FileCall) => FileFault | undefined = () => undefined) {
  const root = temporaryFolder()
  const work = await createWorkArea({ root, fs: faultyFiles(decide) })
  const has = (...parts: string[]) => existsSync(join(root, ...parts))
  const text = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8')
  return { root, work, has, text, id: randomUUID() }
}

const bytes = (text: string) => [Buffer.from(text)]

/** Writes an output and gives it its name. */
async function put(work: WorkArea, id: string, content: OutputBytes, name: string): Promise<void> {
  await work.write(id, content)
  expect(await work.promote(id, { folder: null, name })).toBe('given')
}

const onlyPlainRenames = ({ operation }: FileCall): FileFault | undefined =>
  operation === 'renameNewSync' ? { errno: 'EINVAL' } : undefined

// A bind mount: the device is the same, a rename from processing/ is refused all the same.
const bindMount = ({ operation, path }: FileCall): FileFault | undefined =>
  operation === 'renameNewSync' && path.includes('/processing/') ? { errno: 'EXDEV' } : undefined

describe('the work folders', () => {
  it('are made for their owner and group alone', async () => {
    const { root } = await world()
    expect(readdirSync(root).sort()).toEqual(['error', 'output', 'processing'])
    expect(statSync(join(root, 'output')).mode & 0o777 & ~0o750).toBe(0)
  })
})

const place = { folder: null, name: 'a.signed.pdf' }

describe.each([
  ['that refuses to replace', () => undefined],
  ['that can only rename', onlyPlainRenames],
  ['that is mounted apart', bindMount],
] as const)('outputs on a file system %s', (_name, decide) => {
  it('are hidden when they are durable, and get their name by one rename', async () => {
    const { work, has, text, id } = await world(decide)
    expect((await work.write(id, bytes('signed'))).length).toBe(6)
    expect(has('output', 'a.signed.pdf')).toBe(false)
    expect(work.waitingOutput(id, null)).toBeDefined()
    work.requireFree(place)
    expect(await work.promote(id, place)).toBe('given')
    expect(text('output', 'a.signed.pdf')).toBe('signed')
    expect(work.waitingOutput(id, null)).toBeUndefined()
    expect(await work.leftovers()).toEqual([])
  })

  it('are written although the folder in which the last one waited was taken away', async () => {
    const { root, work, text, id } = await world(decide)
    await put(work, id, bytes('first'), 'first.signed.pdf')
    rmSync(join(root, 'output', HIDDEN_FOLDER), { recursive: true, force: true })
    const next = randomUUID()
    await work.write(next, bytes('signed'))
    expect(await work.promote(next, place)).toBe('given')
    expect(text('output', 'a.signed.pdf')).toBe('signed')
  })

  it('are delivered once: after a consumer took the file, nothing is left to give', async () => {
    const { root, work, has, id } = await world(decide)
    await put(work, id, bytes('signed'), 'a.signed.pdf')
    unlinkSync(join(root, 'output', 'a.signed.pdf'))
    expect(await work.promote(id, place)).toBe('gone')
    expect(has('output', 'a.signed.pdf')).toBe(false)
  })

  it.each(['of a stranger', ''])('are never put over an existing file (%j), and wait for its name', async (content) => {
    const { root, work, text, id } = await world(decide)
    await work.write(id, bytes('signed'))
    writeFileSync(join(root, 'output', 'a.signed.pdf'), content)
    expect(() => work.requireFree(place)).toThrow(`Output already exists at ${join(root, 'output', 'a.signed.pdf')}.`)
    expect(await work.promote(id, place)).toBe('taken')
    expect(text('output', 'a.signed.pdf')).toBe(content)
    expect(readFileSync(work.waitingOutput(id, null)!, 'utf8')).toBe('signed')
    renameSync(join(root, 'output', 'a.signed.pdf'), join(root, 'taken'))
    expect(await work.promote(id, place)).toBe('given')
    expect(text('output', 'a.signed.pdf')).toBe('signed')
  })

  it('of a job that is deleted do not take a stranger’s file with them', async () => {
    const { root, work, text, id } = await world(decide)
    await work.write(id, bytes('signed'))
    writeFileSync(join(root, 'output', 'a.signed.pdf'), 'of a stranger')
    expect(await work.promote(id, place)).toBe('taken')
    expect(await work.removeOutput(id, place)).toBe('deleted')
    expect(text('output', 'a.signed.pdf')).toBe('of a stranger')
    expect(work.waitingOutput(id, null)).toBeUndefined()
  })

  it('are discarded under their hidden name when their job did not complete', async () => {
    const { work, id } = await world(decide)
    await work.write(id, bytes('signed'))
    await work.discard(id, null)
    expect(await work.promote(id, place)).toBe('gone')
  })
})

it('says before Completed that an output folder is gone or cannot be written', async () => {
  const { root, work } = await world()
  rmSync(join(root, 'output'), { recursive: true })
  expect(() => work.requireFree(place)).toThrow(/could not be put into its folder \(ENOENT\)/)
})

it('recognizes an output that an earlier version gave its name by a second link', async () => {
  const { root, work, text, id } = await world()
  const { path } = await work.write(id, bytes('signed'))
  linkSync(path, join(root, 'output', 'a.signed.pdf'))
  expect(await work.promote(id, place)).toBe('given')
  expect(text('output', 'a.signed.pdf')).toBe('signed')
  expect(await work.leftovers()).toEqual([])
})

describe('writing', () => {
  it('takes pieces, a stream or a file that was made under processing/', async () => {
    const { work, text, id } = await world()
    const pieces = [Buffer.from('one '), Buffer.alloc(0), Buffer.from('two')]
    await put(work, id, pieces, 'pieces')
    expect(text('output', 'pieces')).toBe('one two')
    const [second, third] = [randomUUID(), randomUUID()]
    const stream = (async function* () {
      yield* pieces
    })()
    await put(work, second, stream, 'stream')
    expect(text('output', 'stream')).toBe('one two')
    const scratch = await work.scratch(third)
    writeFileSync(scratch, 'made before')
    const adopted = await work.write(third, { path: scratch })
    expect(adopted.length).toBe(11)
    await work.promote(third, { folder: null, name: 'file' })
    expect(text('output', 'file')).toBe('made before')
  })

  it('writes large outputs whole', async () => {
    const { work, root, id } = await world()
    const large = Buffer.alloc(5_000_001, 'abcdefg')
    await put(work, id, [large, Buffer.from('end')], 'large')
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
    await Promise.all(jobs.map((id) => put(work, id, bytes(id), id)))
    expect(readdirSync(join(root, 'output'))).toHaveLength(20)
    expect(syncs).toBeLessThan(20)
  })

  it('refuses names that lead out of their folder', async () => {
    const { work, id } = await world()
    await work.write(id, bytes('x'))
    for (const name of ['../a', 'a/b', '..', '', 'a\0b'])
      await expect(work.promote(id, { folder: null, name })).rejects.toMatchObject({ code: 'job.storage-failed' })
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

  it('gets the staged copy under the name of the file, and no signed file that was not put out', async () => {
    const { root, work, has, text, id } = await world()
    mkdirSync(join(root, 'processing', id))
    writeFileSync(join(root, 'processing', id, 'minted.pdf'), 'large')
    for (const unfinished of ['.partial', '.scratch']) writeFileSync(join(root, 'processing', id, unfinished), 'half')
    await work.write(id, bytes('signed'))
    await work.relocate(id, { fileName: 'a.pdf', inputPath: join(root, 'input', 'minted.pdf') }, now)
    expect(text('error', id, 'a.pdf')).toBe('large')
    expect(readdirSync(join(root, 'error', id))).toEqual(['a.pdf'])
    expect(has('processing', id)).toBe(false)
    expect(await work.leftovers()).toEqual([])
  })

  it('gets the signed file of a job that nobody knows, for a person to judge', async () => {
    const { work, text, id } = await world()
    await work.write(id, bytes('signed'))
    await work.relocate(id, { fileName: id, isUnknown: true }, now)
    expect(text('error', id, `${id}.out`)).toBe('signed')
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
