import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { doorTo, type TestStore, testStores } from '@chancela/testkit/stores'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isStoreUnreachable } from '../../errors/index.ts'
import { type Migration, migrate, openStore } from '../index.ts'
import { connectionConfig } from './connection.ts'
import { PostgresStoreDialect } from './dialect.ts'

const service = 'session-server'

interface Tables {
  thing: { id: string }
}

const createThing: Migration = {
  id: 1,
  name: 'thing',
  breaking: false,
  up: async (db) => {
    await sql`create table thing (id text)`.execute(db)
  },
}

const openPostgres = () => testStores.PostgreSQL<Tables>({ things: [createThing] })

/** The test server's URL with some of its parts replaced. */
function changed(store: TestStore<Tables>, change: (url: URL) => void): string {
  const url = new URL(store.url)
  change(url)
  return url.href
}

async function sentenceOf(url: string): Promise<string> {
  const refused = openStore({ url, service })
  await expect(refused).rejects.toMatchObject({ name: 'StartupProblem', setting: 'session-server Database:Url' })
  const { message } = await refused.then(
    () => new Error(),
    (error: Error) => error,
  )
  expect(message).toMatch(/^session-server Database:Url: [^\n]+\.$/)
  return message
}

test('two transactions that wait for each other are both done, one after the other', async () => {
  const store = await openPostgres()
  await store.db
    .insertInto('thing')
    .values([{ id: 'a' }, { id: 'b' }])
    .execute()
  let holding = 0
  let runs = 0
  const change = (first: string, second: string) =>
    store.transaction(async (tx) => {
      runs++
      await tx.updateTable('thing').set({ id: first }).where('id', '=', first).execute()
      holding++
      await vi.waitUntil(() => holding >= 2)
      await tx.updateTable('thing').set({ id: second }).where('id', '=', second).execute()
    })
  await Promise.all([change('a', 'b'), change('b', 'a')])
  expect(runs).toBe(3)
})

test('while the server is away statements fail as what they are, out of reach, and go on when it is back', async () => {
  const own = await openPostgres()
  const door = await doorTo(own.url)
  const store = await openStore<Tables>({ url: door.url, service: own.service })
  onTestFinished(() => store.close())
  const read = () => store.db.selectFrom('thing').selectAll().execute()
  const failure = () =>
    store.transaction(read).then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(await read()).toEqual([])
  expect(isStoreUnreachable(await sql`select nothing`.execute(store.db).catch((error) => error))).toBe(false)
  await door.shut()
  for (let call = 0; call < 3; call++) expect(isStoreUnreachable(await failure())).toBe(true)
  await door.open()
  expect(await read()).toEqual([])
  await store.close()
  await door.shut()
})

test('a server that freezes is out of reach when its time is over, for whoever waits and whoever comes', async () => {
  const own = await openPostgres()
  const door = await doorTo(own.url)
  const pool = new pg.Pool({ connectionString: door.url, max: 1, connectionTimeoutMillis: 50 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<unknown>({ dialect: new PostgresStoreDialect(pool, 200) })
  onTestFinished(async () => {
    await db.destroy()
    await door.shut()
  })
  const ask = () => sql`select 1`.execute(db)
  await expect.poll(() => ask().then(() => 'answered')).toBe('answered')
  door.freeze()
  const failures = await Promise.allSettled([ask(), ask()])
  expect(failures.map((one) => one.status === 'rejected' && isStoreUnreachable(one.reason))).toEqual([true, true])
  door.thaw()
  await expect.poll(() => ask().then(() => 'answered')).toBe('answered')
})

test('a server that does not answer is refused with a sentence that names the setting and the place', async () => {
  expect(await sentenceOf('postgres://ana:hunter2@127.0.0.1:1/db')).toContain('nothing answers at 127.0.0.1:1/db')
})

test('a server that accepts and stays silent is refused after connect_timeout', async () => {
  const silent = createServer()
  onTestFinished(() => void silent.close())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const sentence = await sentenceOf(`postgres://ana:hunter2@127.0.0.1:${port}/db?connect_timeout=1`)
  expect(sentence).toContain(`nothing answers at 127.0.0.1:${port}/db`)
})

test.each([
  ['', 10_000],
  ['?connect_timeout=1', 1_000],
  ['?sslmode=disable&connect_timeout=0', 0],
])('postgres://h/d%s waits %d ms for a connection', (parameters, milliseconds) => {
  const { connectionTimeoutMillis } = connectionConfig({ url: `postgres://h/d${parameters}`, service })
  expect(connectionTimeoutMillis).toBe(milliseconds)
})

test.each(['soon', '-1', '1.5', ''])('a connect_timeout of %j is refused', async (asked) => {
  expect(await sentenceOf(`postgres://ana:hunter2@127.0.0.1:1/db?connect_timeout=${asked}`)).toContain(
    'connect_timeout must be a number of seconds',
  )
})

test('a host without an address is refused', async () => {
  expect(await sentenceOf('postgres://ana:hunter2@nowhere.invalid/db')).toContain('the host of nowhere.invalid/db')
})

test('a wrong password is refused and never repeated', async () => {
  const store = await openPostgres()
  const sentence = await sentenceOf(changed(store, (url) => (url.password = 'hunter2')))
  expect(sentence).toContain('rejects the user or the password')
  expect(sentence).not.toContain('hunter2')
})

/** A server that ends every connection with this SQLSTATE, as PostgreSQL does while it starts. */
async function endingWith(state: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0C${state}\0Mnot now\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  const server = createServer((socket) =>
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields]))),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `postgres://ana:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/db`
}

test('a server out of reach for now is told apart from what stays until somebody changes it', async () => {
  const store = await openPostgres()
  const role = `busy_${store.service.replaceAll('-', '_')}`
  await sql`create role ${sql.id(role)} login password 'busy' connection limit 0`.execute(store.db)
  onTestFinished(async () => {
    const admin = await openStore({ url: store.url, service })
    await sql`drop role ${sql.id(role)}`.execute(admin.db)
    await admin.close()
  })
  const urls = {
    'nothing listens': 'postgres://ana:hunter2@127.0.0.1:1/db',
    'no connection left': changed(store, (url) => Object.assign(url, { username: role, password: 'busy' })),
    starting: await endingWith('57P03'),
    'wrong password': changed(store, (url) => (url.password = 'hunter2')),
    'no such database': changed(store, (url) => (url.pathname = '/atlantis')),
    'read-only': await endingWith('25006'),
    'no such host': 'postgres://ana:hunter2@nowhere.invalid/db',
    'no URL': 'postgres://ana:pass[word@host:x/db',
  }
  const away: string[] = []
  for (const [kind, url] of Object.entries(urls)) {
    const error = await openStore({ url, service }).catch((thrown: unknown) => thrown)
    expect([kind, error]).toMatchObject([kind, { name: 'StartupProblem' }])
    if (isStoreUnreachable(error)) away.push(kind)
  }
  expect(away).toEqual(['nothing listens', 'no connection left', 'starting'])
})

test('an unknown user, an unknown database and a wrong encoding are refused', async () => {
  const store = await openPostgres()
  const latin = `latin_${store.service.replaceAll('-', '_')}`
  await sql`create database ${sql.id(latin)} encoding 'LATIN1' locale 'C' template template0`.execute(store.db)
  onTestFinished(async () => {
    const admin = await openStore({ url: store.url, service })
    await sql`drop database ${sql.id(latin)}`.execute(admin.db)
    await admin.close()
  })
  expect(await sentenceOf(changed(store, (url) => (url.username = 'nobody-i-know')))).toContain('rejects the user')
  expect(await sentenceOf(changed(store, (url) => (url.pathname = '/atlantis')))).toMatch(/no database .*\/atlantis/)
  expect(await sentenceOf(changed(store, (url) => (url.pathname = `/${latin}`)))).toContain('encoded in LATIN1')
})

test('TLS asked of a server without it is refused', async () => {
  const store = await openPostgres()
  const sentence = await sentenceOf(changed(store, (url) => url.searchParams.set('sslmode', 'verify-full')))
  expect(sentence).toContain('speaks no TLS')
})

test('a value that is no URL is refused', async () => {
  expect(await sentenceOf('postgres://ana:pass[word@host:x/db')).toContain('is not a URL')
})

test('a user who may not create a schema is told so by the migration', async () => {
  const store = await openPostgres()
  const role = `poor_${store.service.replaceAll('-', '_')}`
  await sql`create role ${sql.id(role)} login password 'poor'`.execute(store.db)
  onTestFinished(async () => {
    const admin = await openStore({ url: store.url, service })
    await sql`drop role ${sql.id(role)}`.execute(admin.db)
    await admin.close()
  })
  const url = changed(store, (to) => Object.assign(to, { username: role, password: 'poor' }))
  const poor = await openStore({ url, service: 'poor-service' })
  onTestFinished(() => poor.close())
  const refused = migrate(poor, { things: [createThing] })
  await expect(refused).rejects.toMatchObject({ name: 'StartupProblem', setting: 'poor-service Database:Url' })
  await expect(refused).rejects.toThrow('may not create its schema')
})

test('each service has a schema of its own name, and sees no other', async () => {
  const store = await openPostgres()
  const other = await openPostgres()
  await store.db.insertInto('thing').values({ id: 'mine' }).execute()
  expect(await other.db.selectFrom('thing').selectAll().execute()).toEqual([])
  const { rows } = await sql`select current_schema() as schema, current_setting('application_name') as name`.execute(
    store.db,
  )
  expect(rows).toEqual([{ schema: store.service.replaceAll('-', '_'), name: `chancela ${store.service}` }])
})

test('connection options in the URL are kept beside ours', async () => {
  const store = await openPostgres()
  const url = changed(store, (to) => to.searchParams.set('options', '-c work_mem=1234kB'))
  const second = await openStore({ url, service: store.service })
  onTestFinished(() => second.close())
  const { rows } = await sql`select current_schema() as schema, current_setting('work_mem') as work_mem`.execute(
    second.db,
  )
  expect(rows).toEqual([{ schema: store.service.replaceAll('-', '_'), work_mem: '1234kB' }])
})

test('losing every connection, idle or lent out, costs the queries under way and nothing else', async () => {
  const store = await openPostgres()
  const killer = await store.reopen()
  const others = sql`from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const killAll = async () => {
    const { rows } = await sql`select pg_terminate_backend(pid) ${others}`.execute(killer.db)
    // Until the server has closed them all: by then each client has been notified, between two of its queries.
    await vi.waitFor(async () => expect((await sql`select pid ${others}`.execute(killer.db)).rows).toEqual([]))
    return rows.length
  }
  await store.db.selectFrom('thing').selectAll().execute()
  expect(await killAll()).toBeGreaterThan(0)
  const cutOff = store.transaction(async (tx) => {
    await tx.insertInto('thing').values({ id: 'half' }).execute()
    expect(await killAll()).toBeGreaterThan(0)
    await tx.insertInto('thing').values({ id: 'whole' }).execute()
  })
  await expect(cutOff).rejects.toThrow(/terminat|not queryable/i)
  expect(await store.db.selectFrom('thing').selectAll().execute()).toEqual([])
})

test('a session the server has just ended is not lent to the next query', async () => {
  const store = await openPostgres()
  for (let round = 0; round < 10; round += 1) {
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db)).rejects.toThrow()
    expect(await store.db.selectFrom('thing').selectAll().execute()).toEqual([])
  }
})
