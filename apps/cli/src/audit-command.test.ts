import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { administratorOperator } from '@chancela/admin-console'
import { batchSigner } from '@chancela/batch-signer'
import { AuditChain, createEventLog, exportChain, openAudit, readChain } from '@chancela/service-kernel/events'
import { createReadiness } from '@chancela/service-kernel/health'
import { createLogger } from '@chancela/service-kernel/http'
import { createMetrics } from '@chancela/service-kernel/metrics'
import { openSecrets } from '@chancela/service-kernel/secrets'
import type { ServiceDefinition, StatefulService } from '@chancela/service-kernel/service'
import { hotStatement, migrate, openStore, type Store } from '@chancela/service-kernel/store'
import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../test/operator-cli.ts'
import { runCli } from './index.ts'
import { services } from './services.ts'

async function cli(args: readonly string[], services: readonly ServiceDefinition[] = [batchSigner, sampleService]) {
  const lines = { out: [] as string[], err: [] as string[] }
  const code = await runCli(['audit', ...(['key', 'export'].includes(args[0]!) ? args : ['verify', ...args])], {
    services,
    environment: {},
    print: (text) => void lines.out.push(text),
    log: (text) => void lines.err.push(text),
  })
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

interface Verdict {
  readonly of: string
  readonly intact: boolean
  readonly links: number
  readonly waiting?: number
  readonly signedUpTo: number
  readonly witnesses: number
  readonly head: string
  readonly problems: readonly { readonly code: string; readonly sequence: number }[]
}

let statements = 0

/** Runs SQL as whoever has the database could. */
async function run({ db }: Store<unknown>, text: string): Promise<void> {
  const form = { text, parameters: () => [] }
  await hotStatement(`tampering_${++statements}`, { sqlite: form, postgres: form })(db, undefined)
}

/** A stopped batch signer with five records: events 1, 2, 4 and 5, and a decision. */
async function site(database: keyof typeof testStores) {
  const [folder, { url }] = [temporaryFolder(), await testStores[database]()]
  const config = join(folder, 'chancela.json')
  writeFileSync(config, JSON.stringify({ 'batch-signer': { Database: { Url: url } } }))
  const store = await openStore<unknown>({ url, service: 'batch-signer' })
  onTestFinished(() => store.close())
  await migrate(store, batchSigner.migrations!)
  const clock = testClock()
  const [events, chain] = [createEventLog(store, clock), new AuditChain({ kinds: batchSigner.chained!, clock })]
  const event = async (text: string) => {
    clock.advance(1_000)
    await events.record(store.db, { type: 'Happened', actor: 'ana', text })
  }
  const link = async () => {
    while ((await store.transaction((tx) => chain.append(tx))) > 0);
  }
  const tamper = async (statements: string) => {
    for (const statement of statements.split(';')) await run(store, statement)
  }
  const audit = (...args: readonly string[]) => cli([...args, '--config', config, '--data', folder])
  const verify = async (...args: readonly string[]) => {
    const { code, out, err } = await audit(...args, '--json')
    return { code, err, ...(err === '' ? (JSON.parse(out) as Verdict[])[0]! : undefined) }
  }
  const exported = async (name = 'export.jsonl') => {
    const lines: string[] = []
    const entries = readChain(store.db, batchSigner.chained!)
    for await (const line of exportChain(entries, { service: 'batch-signer', now: clock() })) lines.push(line)
    writeFileSync(join(folder, name), lines.join(''))
    return join(folder, name)
  }
  for (const text of ['a', 'b']) await event(text)
  clock.advance(1_000)
  await tamper(`insert into approval_decision (job_id, approver_key, name, cpf, decision, method, content_sha256, decided_at)
    values ('j1', 'ana@example.com', 'Ana', '52998224725', 'approved', 'LinkDerivedEmail', 'ab', '${clock().toISOString()}')`)
  for (const text of ['c', 'd']) await event(text)
  await link()
  /** A service that ran for a moment; what it wrote to its log. */
  const signed = async (name = 'log.jsonl') => {
    const log: string[] = []
    const closes: (() => Promise<void>)[] = []
    const { start } = openAudit(
      {
        store,
        clock,
        logger: createLogger({ service: 'batch-signer', destination: { write: (line) => void log.push(line) } }),
        secrets: openSecrets({ service: 'batch-signer', masterKeyFile: join(folder, 'batch-signer/keys/master.key') }),
        metrics: createMetrics({ service: 'batch-signer', version: '1' }),
        readiness: createReadiness({ cacheSeconds: 0, clock }),
        closing: { add: (_what, close) => void closes.push(close) },
      },
      { kinds: batchSigner.chained!, checkpointMinutes: 60 },
    )
    start()
    for (const close of closes) await close()
    writeFileSync(join(folder, name), log.join(''))
    return join(folder, name)
  }
  return { folder, event, link, tamper, audit, verify, exported, signed }
}

const found = ({ problems = [] }: Partial<Verdict>) => problems.map(({ code, sequence }) => `${code} ${sequence}`)

const tamperings: readonly (readonly [what: string, statements: string, expected: readonly string[]])[] = [
  ['an altered event', `update audit_event set actor = 'rui' where chain_sequence = 2`, ['record-altered 2']],
  ['an altered decision', `update approval_decision set decision = 'rejected'`, ['record-altered 3']],
  ['a decision that is gone', 'delete from approval_decision', ['record-missing 3']],
  ['a missing link', 'delete from audit_chain where sequence = 2', ['link-missing 2', 'record-inserted 2']],
  [
    'reordered links',
    `update audit_chain set sequence = -1 where sequence = 4; update audit_chain set sequence = 4 where sequence = 5;
     update audit_chain set sequence = 5 where sequence = -1`,
    [
      'link-altered 4',
      'link-reordered 4',
      'record-altered 4',
      'link-altered 5',
      'link-reordered 5',
      'record-altered 5',
    ],
  ],
  [
    'an inserted link',
    `insert into audit_chain select 6, kind, record_id, record_sha256, at, previous, link, removal
     from audit_chain where sequence = 5`,
    ['link-altered 6', 'link-reordered 6', 'record-missing 6'],
  ],
  [
    'an inserted record',
    `insert into audit_event (id, at, type, actor, text, search_text, chain_sequence)
     values ('x', '2026', 'Happened', 'rui', 'x', 'x', 2)`,
    ['record-inserted 2'],
  ],
]

describe.each(['SQLite', 'PostgreSQL'] as const)('chancela audit verify on %s', (database) => {
  test('says that a chain is intact, how long it is, what waits, and its head', async () => {
    const { audit, verify, event } = await site(database)
    expect(await audit()).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/\b5 links.*\nHead: 5:[0-9a-f]{64}$/),
    })
    await event('e')
    expect(await verify('batch-signer')).toMatchObject({
      code: 0,
      of: 'batch-signer',
      links: 5,
      waiting: 1,
      intact: true,
    })
  })

  test.each(tamperings)('finds %s, in the database and in an export', async (_what, statements, expected) => {
    const { tamper, audit, verify, exported } = await site(database)
    await tamper(statements)
    const verdict = await verify()
    expect([verdict.code, verdict.intact, found(verdict).sort()]).toStrictEqual([1, false, [...expected].sort()])
    const offline = await verify('--export', await exported())
    expect([offline.code, found(offline).sort()]).toStrictEqual([1, [...expected].sort()])
    const told = await audit()
    expect([told.code, told.out]).toStrictEqual([1, expect.stringContaining(`link ${verdict.problems![0]!.sequence}`)])
  })

  test('finds an older database and another history by a kept head, or by an earlier export', async () => {
    const { tamper, event, link, verify, exported } = await site(database)
    const { head } = await verify()
    const earlier = await exported('earlier.jsonl')
    await event('e')
    await link()
    expect(await verify('--head', head!, '--previous', earlier)).toMatchObject({ code: 0, intact: true })
    await tamper('delete from audit_event where chain_sequence > 4; delete from audit_chain where sequence > 4')
    expect(await verify()).toMatchObject({ code: 0, intact: true, links: 4 })
    const older = await verify('--head', head!)
    expect([older.code, found(older)]).toStrictEqual([1, ['head-ahead 5']])
    for (const text of ['f', 'g']) await event(text)
    await link()
    const other = await verify('--previous', earlier)
    expect([other.code, found(other)]).toStrictEqual([1, ['head-differs 5']])
  })

  test('says up to where a chain is signed, and finds one that was computed anew', async () => {
    const { tamper, link, audit, verify, exported, signed } = await site(database)
    await signed()
    expect((await audit()).out).toContain('5 links, signed up to link 5')
    const [id = ''] = (await audit('key', 'batch-signer')).out.split(' ')
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const file = await exported()
    expect(await verify('--export', file, '--key', id)).toMatchObject({ code: 0, signedUpTo: 5 })
    expect(found(await verify('--export', file, '--key', 'another'))).toStrictEqual(['checkpoint-forged 5'])
    await tamper(`update audit_event set actor = 'rui' where chain_sequence = 2; delete from audit_chain;
      update audit_event set chain_sequence = null; update approval_decision set chain_sequence = null`)
    await link()
    expect(found(await verify())).toStrictEqual(['checkpoint-differs 5'])
  })

  test('tells a database that is older than a checkpoint that was kept, and does not call it tampering', async () => {
    const { folder, tamper, event, link, audit, verify, signed } = await site(database)
    const earlier = await signed('earlier.jsonl')
    await event('e')
    await link()
    const later = await signed('later.jsonl')
    expect(await verify('--checkpoint', earlier, later)).toMatchObject({ code: 0, witnesses: 2 })
    await tamper(`delete from audit_event where chain_sequence > 5; delete from audit_chain where sequence > 5;
      delete from audit_checkpoint where sequence > 5`)
    const older = await audit('batch-signer', '--checkpoint', later)
    expect([older.code, older.out]).toStrictEqual([1, expect.stringContaining('an older database was restored')])
    expect(older.out).not.toContain('broken')
    await tamper('delete from audit_checkpoint; delete from audit_key')
    expect(await audit('batch-signer', '--checkpoint', later)).toMatchObject({
      code: 1,
      err: expect.stringContaining('key'),
    })
    const none = join(folder, 'none.jsonl')
    writeFileSync(none, '{"msg":"something else"}\nno JSON\n')
    expect(await audit('--checkpoint', none)).toMatchObject({ code: 1, err: expect.stringContaining('no checkpoint') })
  })
})

test('an export that is cut off or is none, a head that is none, and a service without a chain are refused', async () => {
  const { folder, audit, exported } = await site('SQLite')
  const file = await exported()
  const broken = join(folder, 'broken.jsonl')
  writeFileSync(broken, '{"no":"export"}\n')
  for (const args of [
    ['--export', broken],
    ['--export', join(folder, 'none.jsonl')],
    ['--head', '5'],
    ['sample'],
    ['nobody'],
  ])
    expect(await audit(...args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/\S/) })
  expect((await audit('--export', file)).code).toBe(0)
  expect((await audit('--unknown')).code).toBe(2)
})

test('events and the chain are exported to a file of their own', async () => {
  const { folder, audit } = await site('SQLite')
  const write = async (name: string, ...args: readonly string[]) => {
    const file = join(folder, name)
    const told = await audit('export', 'batch-signer', '--output', file, ...args)
    return { ...told, text: existsSync(file) ? readFileSync(file, 'utf8') : '', file }
  }
  const csv = await write('a.csv')
  expect([csv.code, csv.text.split('\r\n').length, statSync(csv.file).mode & 0o777]).toStrictEqual([0, 6, 0o600])
  expect((await write('a.csv')).err).toContain('exists already')
  const lines = await write('a.jsonl', '--format', 'jsonl', '--to', '2999-01-01', '--from', '2000-01-01T00:00')
  expect(lines.text.trimEnd().split('\n')).toHaveLength(4)
  expect((await write('b.jsonl', '--format', 'jsonl', '--from', '2999-01-01')).text).toBe('')
  const chain = await write('chain.jsonl', '--format', 'chain')
  expect(await audit('--export', chain.file)).toMatchObject({ code: 0, out: expect.stringContaining('5 links') })
  expect((await write('c.jsonl', '--format', 'chain', '--from', '2026-01-01')).err).toContain('--from')
  expect((await write('d.csv', '--from', 'yesterday')).err).toContain('--from takes a time')
})

test('no database is made where there is none, and one without a chain is not touched', async () => {
  const folder = temporaryFolder()
  expect(await cli(['--data', folder])).toMatchObject({ code: 1, err: expect.stringContaining('batch-signer.db') })
  expect(existsSync(join(folder, 'batch-signer'))).toBe(false)
  const { tamper, audit } = await site('SQLite')
  await tamper('drop table audit_chain')
  for (const _time of ['first', 'second'])
    expect(await audit()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('chancela migrate') })
})

/** Every kind of tampering at a record of its own; of eighteen links. */
const everywhere = [
  `update audit_event set actor = 'rui' where chain_sequence = 2`,
  `update audit_event set address = '192.0.2.66' where chain_sequence = 4`,
  'delete from audit_event where chain_sequence = 6',
  'delete from audit_chain where sequence = 8',
  `update audit_chain set at = '2020' where sequence = 10`,
  `update audit_chain set sequence = -12 where sequence = 12`,
  'update audit_chain set sequence = 12 where sequence = 13',
  'update audit_chain set sequence = 13 where sequence = -12',
  `insert into audit_event (id, at, type, actor, text, search_text, chain_sequence)
   values ('x', '2026', 'Happened', 'rui', 'x', 'x', 16)`,
  `insert into audit_chain select 19, kind, record_id, record_sha256, at, previous, link, removal
   from audit_chain where sequence = 18`,
]

const everythingFound = [
  'record-altered 2',
  'record-altered 4',
  'record-missing 6',
  'link-missing 8',
  'record-inserted 8',
  'link-altered 10',
  ...['link-altered', 'link-reordered', 'record-altered'].flatMap((what) => [`${what} 12`, `${what} 13`]),
  'link-reordered 14',
  'record-inserted 16',
  'link-altered 19',
  'link-reordered 19',
  'record-missing 19',
].sort()

const chained = services.filter((service): service is StatefulService => 'chained' in service)

test('every service with a database chains its events', () => {
  expect(chained).toStrictEqual(services)
})

describe.each(['SQLite', 'PostgreSQL'] as const)('the chains on %s', (database) => {
  const withConsoles = ['session-server', 'cloud-hub', 'pki-core']
  test.each(withConsoles)('of %s are exported in the language of the reader, and fit in every one', async (name) => {
    const [folder, { url }] = [temporaryFolder(), await testStores[database]()]
    const config = join(folder, 'chancela.json')
    writeFileSync(config, JSON.stringify({ [name]: { Database: { Url: url } } }))
    const service = chained.find((one) => one.name === name)!
    const store = await openStore<unknown>({ url, service: name })
    onTestFinished(() => store.close())
    await migrate(store, service.migrations)
    const [clock, settings] = [testClock(), { Auth: { PasswordCost: 10 } }]
    const operator = administratorOperator({ store, settings, clock })
    await operator.create({ name: 'Ana', email: 'ana@example.com', password: 'uma senha bem comprida' })
    const given = ['--config', config, '--data', folder]
    const exported = async (language: string) => {
      const file = join(folder, `${language}.csv`)
      await cli(['export', name, '--language', language, '--output', file, ...given], services)
      return readFileSync(file, 'utf8')
    }
    expect(await exported('pt-BR')).toContain('"ana@example.com tornou-se administrador."')
    expect(await exported('en-US')).toContain('"ana@example.com was made an administrator."')
    const chain = new AuditChain({ kinds: service.chained!, clock })
    while ((await store.transaction((tx) => chain.append(tx))) > 0);
    expect((await cli([name, ...given], services)).code).toBe(0)
    // What fills a sentence is evidence: whoever changes it is found.
    await run(store, `update audit_event set data = replace(data, 'ana@', 'rui@')`)
    const { code, out } = await cli([name, '--json', ...given], services)
    expect([code, found((JSON.parse(out) as Verdict[])[0]!)]).toStrictEqual([1, ['record-altered 1']])
  })

  test.each(chained)('of $name show every kind of tampering', async (service) => {
    const [folder, { url }] = [temporaryFolder(), await testStores[database]()]
    const config = join(folder, 'chancela.json')
    writeFileSync(config, JSON.stringify({ [service.name]: { Database: { Url: url } } }))
    const store = await openStore<unknown>({ url, service: service.name })
    onTestFinished(() => store.close())
    await migrate(store, service.migrations)
    const clock = testClock()
    const [events, chain] = [createEventLog(store, clock), new AuditChain({ kinds: service.chained!, clock })]
    for (let n = 1; n <= 18; n++) {
      clock.advance(1_000)
      await events.record(store.db, { type: 'Happened', actor: 'ana', text: `${n}` })
    }
    while ((await store.transaction((tx) => chain.append(tx))) > 0);
    const verify = () => cli([service.name, '--json', '--config', config, '--data', folder], services)
    expect(await verify()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('"links": 18') })
    for (const statement of everywhere) await run(store, statement)
    const { code, out } = await verify()
    const verdict = (JSON.parse(out) as Verdict[])[0]!
    expect([code, found(verdict).sort()]).toStrictEqual([1, everythingFound])
  })
})

test('without a name those are verified that have a database, and the others are told', async () => {
  const folder = temporaryFolder()
  const store = await openStore<unknown>({ url: 'sqlite:cloud-hub/hub.db', service: 'cloud-hub', dataFolder: folder })
  onTestFinished(() => store.close())
  const hub = services.find(({ name }) => name === 'cloud-hub')!
  await migrate(store, hub.migrations!)
  const config = join(folder, 'chancela.json')
  writeFileSync(config, JSON.stringify({ 'cloud-hub': { Database: { Url: 'sqlite:cloud-hub/hub.db' } } }))
  const told = await cli(['--config', config, '--data', folder], services)
  expect(told).toMatchObject({ code: 0, out: expect.stringContaining('cloud-hub: the audit chain is intact') })
  expect(told.err.split('\n')).toHaveLength(chained.length - 1)
})

describe.each(['SQLite', 'PostgreSQL'] as const)('the audit of organizations on %s', (database) => {
  test('is verified and exported with the rest of the document platform', async () => {
    const [folder, { url }] = [temporaryFolder(), await testStores[database]()]
    const config = join(folder, 'chancela.json')
    writeFileSync(config, JSON.stringify({ 'document-platform': { Database: { Url: url } } }))
    const store = await openStore<unknown>({ url, service: 'document-platform' })
    onTestFinished(() => store.close())
    const platform = chained.find(({ name }) => name === 'document-platform')!
    await migrate(store, platform.migrations)
    const clock = testClock()
    const chain = new AuditChain({ kinds: platform.chained!, clock })
    const columns = 'organization_id, number, at, kind, actor_type, actor_name, ip, subject_name, hash'
    for (let n = 1; n <= 18; n++) {
      clock.advance(1_000)
      // Numbers of two digits, which sort otherwise as texts.
      const values = `'o${n % 2}', ${n + 5}, '${clock().toISOString()}', 'UserAdded', 'User', 'Ana', '192.0.2.7', 'Bia', 'h${n}'`
      await run(store, `insert into audit_entry (${columns}) values (${values})`)
    }
    while ((await store.transaction((tx) => chain.append(tx))) > 0);
    const options = ['--config', config, '--data', folder]
    const verify = () => cli(['document-platform', '--json', ...options], services)
    expect(await verify()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('"links": 18') })
    const output = join(folder, 'audit.jsonl')
    const told = await cli(
      ['export', 'document-platform', '--format', 'jsonl', '--output', output, '--language', 'pt-BR', ...options],
      services,
    )
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect([told.code, lines.length]).toStrictEqual([0, 18])
    expect(lines.map((line) => (JSON.parse(line) as { data: { number: number } }).data.number)).toStrictEqual(
      Array.from({ length: 18 }, (_, n) => n + 6),
    )
    expect(JSON.parse(lines[0]!)).toMatchObject({
      type: 'UserAdded',
      actor: 'Ana',
      address: '192.0.2.7',
      text: 'Um usuário foi incluído: Bia',
    })
    for (const statement of everywhere)
      await run(
        store,
        statement
          .replace(`set actor = 'rui'`, `set actor_name = 'rui'`)
          .replace('set address', 'set ip')
          .replace(/\(id, at, type, actor, text, search_text, chain_sequence\)\s+values .*/, (all) =>
            all.startsWith('(id')
              ? `(${columns}, chain_sequence) values ('o', 1, '2026', 'UserAdded', 'User', 'rui', '', 'x', 'x', 16)`
              : all,
          )
          .replaceAll('audit_event', 'audit_entry'),
      )
    const { code, out } = await verify()
    expect([code, found((JSON.parse(out) as Verdict[])[0]!).sort()]).toStrictEqual([1, everythingFound])
  })
})
