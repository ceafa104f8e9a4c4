import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { putBack } from './put-back.ts'

async function folders() {
  const root = temporaryFolder()
  const [error, input] = [join(root, 'error'), join(root, 'input')]
  await mkdir(error)
  await mkdir(input)
  await writeFile(join(error, 'a.pdf'), 'the copy')
  return { input, copy: join(error, 'a.pdf') }
}

test('an input that is gone is put back from the copy, and nothing else is left beside it', async () => {
  const { input, copy } = await folders()
  await putBack(copy, join(input, 'a.pdf'))
  expect(await readdir(input)).toStrictEqual(['a.pdf'])
  expect(await readFile(join(input, 'a.pdf'), 'utf8')).toBe('the copy')
  expect(await readFile(copy, 'utf8')).toBe('the copy')
})

test('an input that is still there is left as it is', async () => {
  const { input, copy } = await folders()
  await writeFile(join(input, 'a.pdf'), 'corrected by somebody')
  await putBack(copy, join(input, 'a.pdf'))
  expect(await readFile(join(input, 'a.pdf'), 'utf8')).toBe('corrected by somebody')
})

test('of several that put one input back at once none breaks another', async () => {
  const { input, copy } = await folders()
  await Promise.all(Array.from({ length: 8 }, () => putBack(copy, join(input, 'a.pdf'))))
  expect(await readdir(input)).toStrictEqual(['a.pdf'])
})

test('a folder that is gone is told, not made', async () => {
  const { input, copy } = await folders()
  await expect(putBack(copy, join(input, 'gone', 'a.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
})
