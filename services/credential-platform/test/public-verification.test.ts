// What anybody learns of a document: by its code, by the registrar's list, or with the XML at hand.
import { openBlobStore } from '@chancela/service-kernel/blobs'
import { behindProxy, callerOf, readAnswer, usedUp } from '@chancela/testkit/service-world'
import { beforeAll, describe, expect, test } from 'vitest'
import { addItemFile } from '../src/store/documents.ts'
import {
  type CredentialWorld,
  databases,
  instituteOf,
  organizationAt,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDegree, closedDocumentation, issuer, newCode, registrar } from './test-support/registry.ts'

let documentation: Buffer
let degree: Buffer
const code = `${issuer.code}.${registrar.code}.${newCode()}`
beforeAll(async () => {
  documentation = await closedDocumentation()
  degree = await closedDegree(documentation, { code })
})

for (const database of databases) {
  describe(`public verification on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    const fileOf = async (
      world: CredentialWorld,
      itemId: string,
      name: string,
      bytes: Buffer,
      type = 'application/xml',
    ) => {
      const blobs = await openBlobStore(world.context.settings.Storage, world.context)
      const { digest, size } = await blobs.put(bytes)
      await blobs.close()
      await addItemFile(world.store.db, { item_id: itemId, name, digest, bytes: size, media_type: type }, world.clock())
      return digest
    }

    /** A degree that is concluded, with its files. */
    async function concluded(world: CredentialWorld, bytes: Buffer, verificationCode: string) {
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
      const id = await items.create('Degree', { status: 'Concluded', verification_code: verificationCode }, true)
      await fileOf(world, id, 'academic-documentation', documentation)
      const digest = await fileOf(world, id, 'public-xml', bytes)
      return { id, items, digest, organization, instituteId }
    }

    const anybody = () => callerOf(open().baseUrl)
    const verify = async (bytes: Buffer | string) => {
      const body = Buffer.from(bytes)
      return readAnswer(
        await anybody().call('POST', '/public/verify', { body, headers: { 'content-type': 'application/xml' } }),
      )
    }

    once('a code leads to what is public of the document, and to its XML', async () => {
      const world = open()
      const { id, items, digest } = await concluded(world, degree, code)
      const { status, body } = await anybody().json('GET', `/${code}`)
      expect(status).toBe(200)
      expect(body).toEqual({
        code,
        kind: 'Degree',
        status: 'Valid',
        statusDate: null,
        statusUntil: null,
        statusReason: null,
        version: '1.05',
        studentName: 'Maria Araújo',
        studentCpf: '***.982.247-**',
        course: expect.any(String),
        courseCode: expect.any(String),
        issuingIes: { name: issuer.name, code: issuer.code },
        registeringIes: { name: registrar.name, code: registrar.code },
        admissionDate: expect.stringMatching(/^20\d\d-/),
        conclusionDate: '2026-06-30',
        expeditionDate: '2026-08-03',
        registrationDate: '2026-08-20',
        expeditionNumber: '23067.004512/2026-11',
        registrationNumber: 'L-2026/3 / 118 / 5423',
        sha256: digest,
        hasRepresentation: false,
      })
      expect(JSON.stringify(body)).not.toContain('52998224725')

      const xml = await anybody().call('GET', `/${code}.xml`)
      expect(Buffer.from(await xml.arrayBuffer()).equals(degree)).toBe(true)
      expect(xml.headers.get('etag')).toBe(`"${digest}"`)
      const again = await anybody().call('GET', `/${code}.xml`, { headers: { 'if-none-match': `"${digest}"` } })
      expect(again.status).toBe(304)

      await fileOf(world, id, 'rvdd', Buffer.from('%PDF-1.7'), 'application/pdf')
      expect((await anybody().call('GET', `/${code}/rvdd`)).status).toBe(200)
      await items.change('Degree', id, 'suspend', { reason: 'Em análise' })
      expect((await anybody().json('GET', `/${code}`)).body).toMatchObject({
        status: 'Suspended',
        statusDate: world.clock().toISOString(),
        statusReason: 'Em análise',
        hasRepresentation: false,
      })
      expect((await anybody().json('GET', `/${code}/rvdd`)).body.code).toBe('file-not-found')
      await items.change('Degree', id, 'restore', { was_restored: 1, reason: null })
      expect((await anybody().json('GET', `/${code}`)).body.status).toBe('Valid')
      const annulment = {
        reason: 'Data errada',
        cancellation_reason: 'ErroDeFato',
        annulled_at: world.clock().toISOString(),
      }
      await items.change('Degree', id, 'annul', annulment)
      expect((await anybody().json('GET', `/${code}`)).body).toMatchObject({
        status: 'Annulled',
        statusDate: annulment.annulled_at,
        statusReason: 'Erro de Fato: Data errada',
      })
      expect((await verify(degree)).body).toMatchObject({
        verdict: 'accepted',
        known: true,
        sameAsIssued: true,
        standing: { status: 'Annulled' },
      })
    })

    test('browsers get a page in their language, without scripts, for known codes and for others', async () => {
      const world = open()
      const own = `${issuer.code}.${registrar.code}.${newCode()}`
      await concluded(world, await closedDegree(documentation, { code: own }), own)
      const page = await anybody().call('GET', `/${own}`, {
        headers: { accept: 'text/html', 'accept-language': 'pt-BR' },
      })
      const text = await page.text()
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(text).toContain('<html lang="pt-BR">')
      expect(text).toContain('Situação: Válido')
      expect(text).toContain(`href="./${own}.xml"`)
      expect(text).not.toContain('<script')
      const unknown = await anybody().call('GET', `/1.2.${'0'.repeat(12)}`, {
        headers: { accept: 'text/html', 'accept-language': 'en' },
      })
      expect([unknown.status, await unknown.text()]).toEqual([
        404,
        expect.stringContaining('No document has this code.'),
      ])
    })

    once(
      'a code that leads nowhere is unknown, whatever its form; a degree that never was concluded has none',
      async () => {
        const world = open()
        const own = `1.2.${newCode()}`
        const { id, items } = await concluded(world, degree, own)
        await world.store.db.updateTable('degree').set({ verification_code: own }).where('id', '=', id).execute()
        const pending = await items.create('Degree', { verification_code: `1.3.${newCode()}` }, true)
        const { verification_code } = (await items.rowOf('Degree', pending)) as { verification_code: string }
        for (const wrong of [
          `1.2.${newCode()}`,
          'x',
          '1.2.ABCDEF012345',
          verification_code,
          '1.abcdefabcdef',
          '%2e%2e%2fetc',
        ])
          for (const path of [`/${wrong}`, `/${wrong}.xml`, `/${wrong}/rvdd`])
            expect([path, (await anybody().json('GET', path)).status]).toEqual([path, 404])
      },
    )

    once('an XML is judged by its layout and its signatures, and nothing of it is kept', async () => {
      const good = await verify(degree)
      expect(good.body).toMatchObject({ verdict: 'accepted', kind: 'degree', version: '1.05' })
      expect(good.body.signatures.map(({ step, valid }: { step: string; valid: boolean }) => [step, valid])).toEqual([
        ['issuerPeople', true],
        ['issuerInstitution', true],
        ['registrarPeople', true],
        ['registrarArchive', true],
      ])
      const codes = async (bytes: Buffer | string) => {
        const { body } = await verify(bytes)
        expect(body.verdict).toBe('refused')
        return body.problems.map((problem: { code: string }) => problem.code)
      }
      expect(await codes(degree.toString().replace('Maria da', 'Mario da'))).toContain('content-altered')
      expect(await codes(degree.toString().replaceAll('><', '>\n<'))).toContain('document-reformatted')
      expect(await codes(degree.toString().replace('<CPF>', '<CPF>9'))).toContain('value-wrong')
      expect(await codes('no XML')).toContain('xml-unreadable')
      expect(await codes('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toContain('doctype')

      const form = new FormData()
      form.append('file', new Blob([Uint8Array.from(documentation)]), 'documentation.xml')
      const sent = await readAnswer(await anybody().call('POST', '/public/verify', { body: form }))
      expect(sent.body).toMatchObject({ verdict: 'accepted', kind: 'academicDocumentation', known: false, code: null })
      const empty = await readAnswer(await anybody().call('POST', '/public/verify', { body: new FormData() }))
      expect(empty.status).toBe(400)
    })

    once('the newest signed list of a registrar is at an address that stays', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
      const path = '/public/90210/annulled-degrees.xml'
      expect((await anybody().json('GET', path)).body.code).toBe('cancellation-list-not-found')
      const list = async (number: number, text: string, status = 'Signed') => {
        const id = await items.create('CancellationList', { status, ies_code: '90210', sequence_number: number }, true)
        await fileOf(world, id, 'xml', Buffer.from(text))
      }
      await list(1, '<one/>')
      await list(2, '<two/>')
      await list(3, '<three/>', 'Created')
      const answer = await anybody().call('GET', path)
      expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['application/xml', '<two/>'])
      const etag = answer.headers.get('etag')!
      expect((await anybody().call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await anybody().json('GET', '/public/a/annulled-degrees.xml')).status).toBe(400)
    })
  })
}

describe('limits', () => {
  const [database] = databases
  const open = sharedPlatform(
    database!,
    {
      ...signingSettings,
      Checks: { MaxDocumentBytes: 65_536 },
      RateLimiting: { Enabled: true, Checks: { PermitsPerWindow: 4 } },
    },
    clock,
  )

  test('what anybody sends is bounded in size and number', async () => {
    const { call } = callerOf(open().baseUrl)
    const headers = { 'content-type': 'application/xml' }
    const large = await call('POST', '/public/verify', { body: Buffer.alloc(65_537), headers })
    expect(large.status).toBe(413)
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(65_537)]), 'large.xml')
    expect((await call('POST', '/public/verify', { body: form })).status).toBe(413)
    const statuses = []
    for (let at = 0; at < 3; at++)
      statuses.push((await call('POST', '/public/verify', { body: '<a/>', headers })).status)
    expect(statuses).toContain(429)
  })

  test('what is asked without a key is limited by address, and the answer says when to come again', async () => {
    const Public = { PermitsPerWindow: 3, WindowSeconds: 60 }
    const { baseUrl } = await startPlatform(database!, { Http: behindProxy, RateLimiting: { Enabled: true, Public } })
    expect(await usedUp({ baseUrl, path: `/${code}.xml`, permits: 3 })).toEqual({
      within: [404, 404, 404],
      beyond: 429,
      retryAfter: expect.stringMatching(/^[1-9]\d?$/),
      elsewhere: 404,
    })
  })
})
