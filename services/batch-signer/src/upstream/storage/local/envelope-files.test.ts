import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, it } from 'vitest'
import { type FileCall, type FileFault, faultyFiles } from '../../../workers/test-support/faulty-files.ts'
import { DiskFull } from '../storage.ts'
import { createEnvelopeFiles } from './envelope-files.ts'
import { createWorkArea } from './work-area.ts'

const now = new Date('2026-11-15T08:57:12.345Z')

/** A job whose staged copy lies in its folder. */
async function world(decide: (call: FileCall) => FileFault | undefined = () => undefined, staged = 'a.rem') {
  const root = temporaryFolder()
  const fs = faultyFiles(decide)
  const work = await createWorkArea({ root, fs })
  const id = randomUUID()
  const folder = join(root, 'processing', id)
  mkdirSync(folder)
  writeFileSync(join(folder, staged), 'content')
  return { root, work, id, folder, envelopes: createEnvelopeFiles({ root, fs }) }
}

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the envelopes of a waiting job', () => {
  it('lie beside the staged copy, each under its own hash', async () => {
    const { envelopes, id, folder } = await world()
    expect(await envelopes.write(id, pieces('one', ' more'))).toBe(sha256('one more'))
    expect(await envelopes.write(id, pieces('two'))).toBe(sha256('two'))
    const names = ['a.rem', ...['one more', 'two'].map((text) => `signatures-${sha256(text)}.p7m`)]
    expect(readdirSync(folder).sort()).toEqual(names.sort())
    expect(readFileSync(envelopes.path(id, sha256('one more')), 'utf8')).toBe('one more')
    expect(envelopes.stagedPath(id, 'a.rem')).toBe(join(folder, 'a.rem'))
  })

  it('can be written again, by a twin of the same call', async () => {
    const { envelopes, id, folder } = await world()
    await Promise.all([envelopes.write(id, pieces('one')), envelopes.write(id, pieces('one'))])
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('are removed one by one, and a missing one is no error', async () => {
    const { envelopes, id, folder } = await world()
    const name = await envelopes.write(id, pieces('one'))
    await envelopes.remove(id, name)
    await envelopes.remove(id, name)
    expect(readdirSync(folder)).toEqual(['a.rem'])
  })

  it('leave nothing behind when the disk is full, or when their bytes end in an error', async () => {
    const full = await world(({ operation }) => (operation === 'write' ? { errno: 'ENOSPC' } : undefined))
    await expect(full.envelopes.write(full.id, pieces('one'))).rejects.toThrow(DiskFull)
    expect(readdirSync(full.folder)).toEqual(['a.rem'])
    const { envelopes, id, folder } = await world()
    const broken = async function* () {
      yield Buffer.from('one')
      throw new Error('the bytes end here')
    }
    await expect(envelopes.write(id, broken())).rejects.toThrow('the bytes end here')
    expect(readdirSync(folder)).toEqual(['a.rem'])
  })

  it('do not follow a name out of the folder', async () => {
    const { envelopes, id } = await world()
    for (const name of ['../a.rem', '..', '', 'a/b']) expect(() => envelopes.stagedPath(id, name)).toThrow()
  })

  it('do not go into error/ with a job that ends: somebody could take them for its output', async () => {
    const { envelopes, work, id, folder, root } = await world()
    await envelopes.write(id, pieces('one'))
    writeFileSync(join(folder, `.signatures-${randomUUID()}`), 'half of')
    await work.relocate(id, { fileName: 'a.rem' }, now)
    expect(readdirSync(join(root, 'error', id))).toEqual(['a.rem'])
  })

  it('are told from a file that was handed in under such a name', async () => {
    const name = `signatures-${sha256('handed in')}.p7m`
    const { work, id, root } = await world(undefined, name)
    await work.relocate(id, { fileName: name }, now)
    expect(readdirSync(join(root, 'error', id))).toEqual([name])
  })
})
