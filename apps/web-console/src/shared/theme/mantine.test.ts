import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')
const styles = join(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), '../styles')

test('every Mantine component in use has its stylesheet in mantine.css', async () => {
  const sheet = await readFile(join(import.meta.dirname, 'mantine.css'), 'utf8')
  const needed = [...(await componentsInUse())].filter((name) => existsSync(join(styles, `${name}.css`)))
  expect(needed.length).toBeGreaterThan(0)
  expect(needed.filter((name) => !sheet.includes(`/${name}.css`))).toEqual([])
})

async function componentsInUse(): Promise<Set<string>> {
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.tsx'))
  const texts = await Promise.all(files.map((name) => readFile(join(source, name), 'utf8')))
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
  return new Set(imports.flatMap((match) => match[1]!.split(',').map((name) => name.trim())))
}
