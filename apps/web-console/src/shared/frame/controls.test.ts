import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')

test('controls.css comes after Mantine’s own stylesheets, which would win otherwise', async () => {
  const mains = (await readdir(source, { recursive: true })).filter((name) => /^\w+[\\/]main\.tsx$/.test(name))
  const texts = await Promise.all(mains.map((name) => readFile(join(source, name), 'utf8')))
  const using = texts.filter((text) => text.includes('controls.css'))
  expect(using.length).toBeGreaterThan(1)
  for (const text of using) expect(text.indexOf('controls.css')).toBeGreaterThan(text.indexOf('start-console.tsx'))
})
