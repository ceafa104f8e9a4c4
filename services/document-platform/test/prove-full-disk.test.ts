// The disk is full: what needs room is refused with a code that says so, nothing that was answered is lost, and the
// service goes on by itself when there is room again. `npm run prove:full-disk` runs it: not every machine lets a process
// have a small disk of its own. That each service answers a full disk so is tested in the kernel, everywhere.
import { join } from 'node:path'
import { fillDisk } from '@chancela/testkit/programs'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { formPdf } from '../src/parts/renditions/test-support/sample-documents.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import { createDocument, people, signer, ticketOf, upload } from './test-support/platform-world.ts'
import { processes, type ServiceProcess } from './test-support/processes.ts'
import { certificateOf, contentOf, holder, judges, signHash } from './test-support/signers.ts'

const { Email, fromNowOn } = await fileMailbox()

const byTicket = { allowElectronicSignature: true, disableEmailAuthenticationToSignElectronically: true }

const full = { status: 503, body: { code: 'ServiceBusy', details: { reason: expect.any(String) } } }

const uploading = ({ json }: ServiceProcess) =>
  json('POST', '/api/uploads/bytes', { bytes: samplePdf(`Contrato ${crypto.randomUUID()}`).toString('base64') })

const creating = ({ json }: ServiceProcess, id: string) => {
  const files = [{ id, name: 'contrato.pdf', displayName: 'Contrato', contentType: 'application/pdf' }]
  return json('POST', '/api/documents', { files, flowActions: [signer(people.bruno)] })
}

const signing = ({ json }: ServiceProcess, { key, ticket }: { readonly key: string; readonly ticket: string }) =>
  json('POST', `/api/documents/keys/${key}/electronic-signature`, { ticket })

/** A document that comes to be with its signature. */
const beginning = ({ json }: ServiceProcess) =>
  json('POST', '/api/documents/signature/certificate', {
    file: { name: 'laudo.pdf', content: samplePdf(`Laudo ${crypto.randomUUID()}`).toString('base64') },
    document: { flowActions: [signer(holder('ana-souza'))] },
    certificate: certificateOf('ana-souza'),
  })

const completing = async ({ json }: ServiceProcess, begun: { readonly token: string; readonly toSignHash: string }) => {
  const signature = await signHash('ana-souza', begun.toSignHash)
  return json('POST', '/api/documents/signature', { token: begun.token, signature })
}

const inviting = ({ json }: ServiceProcess, email: string) =>
  json('POST', '/api/organizations/users', { name: 'Bia Reis', email })

const readiness = ({ json }: ServiceProcess) => json('GET', '/api/ready')
const red = (name: string) => ({ name, ok: false })
const inTime = { timeout: 10_000, interval: 200 }

const ROWS = 30

async function generating(world: ServiceProcess, name: string): Promise<string> {
  const lines = Array.from({ length: ROWS }, (_, n) => `Ana;${people.ana.identifier};${name}${n}@example.com`)
  const templateFile = { id: await upload(world, await formPdf()), name: `${name}.pdf` }
  const dataFile = { id: await upload(world, Buffer.from(['nome;cpf;email', ...lines].join('\n'))), name: 'a.csv' }
  const user = { name: '{{nome}}', identifier: '{{cpf}}', email: '{{email}}' }
  const asked = { templateFile, dataFile, flowActions: [signer(user)] }
  const { status, body } = await world.json('POST', '/api/documents/generation', asked)
  expect(status).toBe(200)
  return body.id
}

/** Invites people until there is no room for one more: the database has some left when files have none. */
async function inviteUntilRefused(world: ServiceProcess): Promise<readonly string[]> {
  const invited: string[] = []
  for (;;) {
    const email = `${crypto.randomUUID()}@example.com`
    const answer = await inviting(world, email)
    if (answer.status !== 200) {
      expect(answer).toMatchObject(full)
      return invited
    }
    invited.push(email)
  }
}

describe('a full disk', () => {
  const running = processes({
    database: 'SQLite',
    count: 1,
    mailPort: Email.Port,
    documents: { VerificationStamp: 'Footer' },
    disk: { megabytes: 24 },
  })

  test('refuses what needs room, loses nothing that was answered, and is no hindrance once there is room', async () => {
    const world = running().all[0]!
    const { inbox } = fromNowOn()
    const uploaded = await upload(world)
    const id = await createDocument(world, [signer(people.ana, byTicket), signer(people.bruno, byTicket)])
    const [ana, bruno] = [
      await ticketOf(world, id, people.ana.identifier),
      await ticketOf(world, id, people.bruno.identifier),
    ]
    expect((await signing(world, ana)).status).toBe(200)
    const first = await generating(world, 'antes')
    const begun = (await beginning(world)).body
    const giveBack = fillDisk(world.process.pathOf(join(world.dataFolder, 'ballast')))
    expect(await uploading(world)).toMatchObject(full)
    expect(await creating(world, uploaded)).toMatchObject(full)
    expect(await signing(world, bruno)).toMatchObject(full)
    expect(await beginning(world)).toMatchObject(full)
    expect(await completing(world, begun)).toMatchObject(full)
    expect((await world.json('GET', `/api/documents/${begun.documentId}`)).body.code).toBe('DocumentNotFound')
    const invited = await inviteUntilRefused(world)
    // Within ten seconds: a verdict may be five seconds old.
    await expect
      .poll(() => readiness(world), inTime)
      .toMatchObject({
        status: 503,
        body: { checks: expect.arrayContaining([red('database'), red('storage'), red('disk')]) },
      })
    expect((await world.json('GET', `/api/documents/${id}`)).body.status).toBe('Pending')
    await judges.pdf((await contentOf(world, id)).bytes, 1)

    giveBack()
    expect((await uploading(world)).status).toBe(200)
    await expect.poll(() => readiness(world), inTime).toMatchObject({ status: 200 })
    expect((await creating(world, uploaded)).status).toBe(200)
    expect((await signing(world, bruno)).status).toBe(200)
    await judges.pdf((await contentOf(world, id)).bytes, 2)
    expect(await completing(world, begun)).toMatchObject({ status: 200, body: { success: true } })
    await judges.pdf((await contentOf(world, begun.documentId)).bytes, 1)
    const last = `${crypto.randomUUID()}@example.com`
    expect((await inviting(world, last)).status).toBe(200)
    const { items } = (await world.json('GET', '/api/organizations/users?limit=500')).body
    expect(items.map(({ email }: { email: string }) => email).toSorted()).toEqual([...invited, last].toSorted())
    const path = `/api/organizations/${world.organization.id}/audit/verification`
    expect((await world.json('GET', path)).body).toMatchObject({ isIntact: true, entries: 2 * (invited.length + 1) })

    // A second one wakes the worker, which would look again by itself after a while.
    for (const generation of [first, await generating(world, 'depois')]) {
      const progress = async () => (await world.json('GET', `/api/documents/generation/${generation}`)).body
      await vi.waitUntil(async () => (await progress()).status === 'Completed', { interval: 20, timeout: 60_000 })
      expect(await progress()).toMatchObject({ completedCount: ROWS, failedCount: 0, errors: [] })
    }
    const documents = (await world.json('GET', '/api/documents?limit=500')).body.items as { name: string }[]
    expect(documents.filter(({ name }) => /^(antes|depois) /.test(name))).toHaveLength(2 * ROWS)
    const told = () => new Set(inbox().flatMap(({ to }) => to.map(({ address }) => address)))
    const expected = ['antes', 'depois'].flatMap((name) =>
      Array.from({ length: ROWS }, (_, n) => `${name}${n}@example.com`),
    )
    await vi.waitUntil(() => [...expected, ...invited, last].every((address) => told().has(address)), {
      interval: 50,
      timeout: 120_000,
    })
  })
})
