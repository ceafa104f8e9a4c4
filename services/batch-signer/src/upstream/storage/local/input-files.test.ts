import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, it } from 'vitest'
import { said } from '../../../rules/sentences.ts'
import type { FileCall } from '../../../workers/test-support/faulty-files.ts'
import { type FileFault, faultyFiles } from '../../../workers/test-support/faulty-files.ts'
import type { FileOperations } from './file-operations.ts'
import { createInputFiles } from './input-files.ts'
import { unleased } from './kernel/leases.ts'

const id = '3f0c9f1e-5d1f-4c52-9f43-6f0b7a0a2b11'
const IN_MEMORY = 70_000

type Decide = (call: FileCall) => FileFault | undefined

function world(decide: Decide = () => undefined, over: Partial<FileOperations> = {}) {
  const root = temporaryFolder()
  mkdirSync(join(root, 'input'))
  const path = join(root, 'input', 'a.pdf')
  const fs = { ...faultyFiles(decide), ...over }
  return { root, path, inputs: createInputFiles({ root, inMemoryBytes: IN_MEMORY, fs }) }
}

/** Where the kernel gives no leases, a file may change while it is read. */
const withoutLeases = (decide: Decide) => world(decide, { leaseSync: () => unleased })

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('staging', () => {
  it('holds a small file in memory, with its length and SHA-256, and copies nothing', async () => {
    const { root, path, inputs } = world()
    writeFileSync(path, 'hello')
    const staged = await inputs.stage(id, path)
    expect(staged).toMatchObject({
      kind: 'memory',
      bytes: Buffer.from('hello'),
      length: 5,
      sha256: sha256(Buffer.from('hello')),
    })
    expect(existsSync(join(root, 'processing'))).toBe(false)
  })

  it('copies a large file to processing/<jobid>/ while it is hashed', async () => {
    const { root, path, inputs } = world()
    const bytes = Buffer.alloc(3_000_000, 'x')
    writeFileSync(path, bytes)
    const staged = await inputs.stage(id, path)
    const copy = join(root, 'processing', id, 'a.pdf')
    expect(staged).toEqual({ kind: 'file', path: copy, length: bytes.length, sha256: sha256(bytes) })
    expect(readFileSync(copy).equals(bytes)).toBe(true)
  })

  it.each([
    ['small', 10],
    ['large', IN_MEMORY + 1],
  ])('starts over when a %s file changes while it is read', async (_size, length) => {
    let appended = 0
    const { path, inputs } = withoutLeases(({ operation }) => {
      const isReading = operation === 'readSync' || operation === 'read'
      if (!isReading || appended > 0) return undefined
      appended += 1
      return { after: () => appendFileSync(path, 'more') }
    })
    writeFileSync(path, Buffer.alloc(length, 'y'))
    const staged = await inputs.stage(id, path)
    expect(staged.length).toBe(length + 4)
    expect(staged.sha256).toBe(sha256(readFileSync(path)))
  })

  it('gives a file up that changes during every reading: job.input-unstable', async () => {
    const { path, inputs } = withoutLeases(({ operation }) =>
      operation === 'readSync' ? { after: () => appendFileSync(path, 'more') } : undefined,
    )
    writeFileSync(path, 'x')
    await expect(inputs.stage(id, path)).rejects.toMatchObject({ code: 'job.input-unstable' })
  })

  it('does not sign a file that was emptied since it was taken: job.input-unstable', async () => {
    const { path, inputs } = world()
    writeFileSync(path, '')
    await expect(inputs.stage(id, path)).rejects.toMatchObject({ code: 'job.input-unstable' })
  })

  it('notices a file that was replaced under its name', async () => {
    let replaced = false
    const { root, path, inputs } = world(({ operation }) => {
      if (operation !== 'readSync' || replaced) return undefined
      const replace = () => {
        replaced = true
        writeFileSync(join(root, 'other'), 'other')
        renameSync(join(root, 'other'), path)
      }
      return { after: replace }
    })
    writeFileSync(path, 'first')
    expect(await inputs.stage(id, path)).toMatchObject({ bytes: Buffer.from('other') })
  })

  it('refuses a second holder while one stages the file: job.input-held', async () => {
    const { path, inputs } = world(({ operation }) => (operation === 'read' ? { delayMs: 20 } : undefined))
    writeFileSync(path, Buffer.alloc(IN_MEMORY + 1))
    const first = inputs.stage(id, path)
    await expect(inputs.stage(id, path)).rejects.toMatchObject({ code: 'job.input-held' })
    await first
    await expect(inputs.stage(id, path)).resolves.toMatchObject({ kind: 'file' })
  })

  it.each([
    ['small', 10],
    ['large', IN_MEMORY + 1],
  ])('reads a %s file under a lease that keeps writers away, and gives it back', async (_size, length) => {
    let tried: unknown
    const attempt = () => {
      // A writer that does not want to wait is told that the file is taken; one that waits would stop this process.
      tried ??= errorOf(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
    }
    const { path, inputs } = world(({ operation }) =>
      operation === 'readSync' || operation === 'read' ? { after: attempt } : undefined,
    )
    writeFileSync(path, Buffer.alloc(length, 'y'))
    expect((await inputs.stage(id, path)).length).toBe(length)
    expect(tried).toMatchObject({ code: 'EAGAIN' })
    appendFileSync(path, 'more')
  })

  it.each([
    ['small', 10],
    ['large', IN_MEMORY + 1],
  ])('does not read a %s file that somebody has open for writing: job.input-held', async (_size, length) => {
    const { path, inputs } = world()
    writeFileSync(path, Buffer.alloc(length, 'y'))
    const writer = openSync(path, 'a')
    await expect(inputs.stage(id, path)).rejects.toMatchObject({ code: 'job.input-held' })
    closeSync(writer)
    expect((await inputs.stage(id, path)).length).toBe(length)
  })

  it('names what keeps it from a file: gone, a link in its place, unreadable, no room for a copy', async () => {
    const missing = world()
    await expect(missing.inputs.stage(id, missing.path)).rejects.toMatchObject({ code: 'job.input-missing' })
    symlinkSync('/etc/hostname', missing.path)
    await expect(missing.inputs.stage(id, missing.path)).rejects.toMatchObject({ code: 'job.input-missing' })
    const unreadable = world(({ operation }) => (operation === 'openSync' ? { errno: 'EACCES' } : undefined))
    writeFileSync(unreadable.path, 'x')
    await expect(unreadable.inputs.stage(id, unreadable.path)).rejects.toMatchObject({ code: 'job.storage-failed' })
    const full = world(({ operation }) => (operation === 'write' ? { errno: 'ENOSPC' } : undefined))
    writeFileSync(full.path, Buffer.alloc(IN_MEMORY + 1))
    await expect(full.inputs.stage(id, full.path)).rejects.toMatchObject({ name: 'DiskFull' })
  })
})

describe('the input file is deleted after a job only if it still equals what was staged', () => {
  it.each([
    ['small', 10],
    ['large', IN_MEMORY + 1],
  ])('deletes a %s file that is what was staged', async (_size, length) => {
    const { path, inputs } = world()
    writeFileSync(path, Buffer.alloc(length, 'z'))
    const staged = await inputs.stage(id, path)
    expect(await inputs.dispose(path, staged)).toEqual({ kind: 'deleted' })
    expect(existsSync(path)).toBe(false)
  })

  it('leaves a file in place whose length or content changed', async () => {
    const { path, inputs } = world()
    writeFileSync(path, 'staged')
    const staged = await inputs.stage(id, path)
    writeFileSync(path, 'changed!')
    expect(await inputs.dispose(path, staged)).toMatchObject({ kind: 'diverged', reason: said('length-changed') })
    writeFileSync(path, 'changd')
    expect(await inputs.dispose(path, staged)).toMatchObject({ kind: 'diverged', reason: said('content-changed') })
    expect(readFileSync(path, 'utf8')).toBe('changd')
  })

  it('leaves a file in place that is rewritten while it is compared', async () => {
    let rewrite = false
    // Renamed over it: who opens the file itself for writing waits for the lease, here for ever.
    const replace = () => {
      writeFileSync(`${path}.new`, 'second')
      renameSync(`${path}.new`, path)
    }
    const { path, inputs } = world(({ operation }) =>
      rewrite && operation === 'readSync' ? { after: replace } : undefined,
    )
    writeFileSync(path, 'first!')
    const staged = await inputs.stage(id, path)
    rewrite = true
    expect(await inputs.dispose(path, staged)).toMatchObject({ kind: 'diverged' })
    expect(readFileSync(path, 'utf8')).toBe('second')
  })

  it('says that somebody else removed it', async () => {
    const { path, inputs } = world()
    expect(await inputs.dispose(path, { length: 1, sha256: 'ab' })).toEqual({ kind: 'missing' })
  })

  it('tries a few times, then says why a file that cannot be removed, or is held, stays: it was not rewritten', async () => {
    const { path, inputs } = world(({ operation }) => (operation === 'unlinkSync' ? { errno: 'EACCES' } : undefined))
    writeFileSync(path, 'staged')
    const staged = await inputs.stage(id, path)
    const disposal = await inputs.dispose(path, staged)
    expect(disposal).toMatchObject({ kind: 'stuck', reason: { text: 'EACCES' } })
    const slow = world(({ operation }) => (operation === 'read' ? { delayMs: 300 } : undefined))
    writeFileSync(slow.path, Buffer.alloc(IN_MEMORY + 1))
    const holder = slow.inputs.stage(id, slow.path)
    const held = await slow.inputs.dispose(slow.path, { length: 1, sha256: 'ab' })
    expect(held).toMatchObject({ kind: 'stuck', reason: said('open-elsewhere') })
    await holder
  })

  it('leaves a file that somebody has open for writing, so that no byte goes to a file without a name', async () => {
    const { path, inputs } = world()
    writeFileSync(path, 'staged')
    const staged = await inputs.stage(id, path)
    const writer = openSync(path, 'a')
    expect(await inputs.dispose(path, staged)).toMatchObject({ kind: 'stuck' })
    writeSync(writer, ' and more')
    closeSync(writer)
    expect(await inputs.dispose(path, staged)).toMatchObject({ kind: 'diverged' })
    expect(readFileSync(path, 'utf8')).toBe('staged and more')
  })
})
