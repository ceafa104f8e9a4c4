import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Entry = Readonly<Record<'chancela-source' | 'types' | 'default', string>>

test.each(['packages/client', 'packages/signature-engine'])(
  'whoever installs %s gets the code and the declarations of every entry, and no tests',
  (folder) => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' })
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, Entry>
    }
    const promised = Object.values(exports).flatMap((entry) =>
      [entry.types, entry.default].map((path) => path.slice(2)),
    )
    expect(promised.filter((path) => !paths.includes(path))).toEqual([])
    expect(paths.filter((path) => /\.test\.|test-support/.test(path))).toEqual([])
  },
)
