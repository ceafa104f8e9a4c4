import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { failingLater } from './failing-later.ts'

test('a stream that fails before it is read throws its failure at the reader, and nowhere else', async () => {
  const stream = failingLater(createReadStream(join(temporaryFolder(), 'missing')))
  while (!stream.errored) await setImmediate()
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'ENOENT' })
})

test('what is no stream is passed through', () => {
  const bytes = Buffer.from('x')
  expect(failingLater(bytes)).toBe(bytes)
})
