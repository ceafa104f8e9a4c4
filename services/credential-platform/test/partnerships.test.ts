// Partnerships of issuers and registrars, in two organizations that see nothing else of each other.
import { describe, expect, test } from 'vitest'
import { databases, instituteOf, organizationAt, sharedPlatform } from './test-support/credential-world.ts'

for (const database of databases) {
  describe(`partnerships on ${database}`, () => {
    const open = sharedPlatform(database)

    async function two() {
      const [faculty, university] = [await organizationAt(open()), await organizationAt(open())]
      const issuer = await instituteOf(faculty, { kind: 'Issuer', name: 'Faculdade' })
      const registrar = await instituteOf(university, { name: 'Universidade' })
      return { faculty, university, asked: { issuerInstituteId: issuer.id, registrarInstituteId: registrar.id } }
    }

    test('one side proposes and the other accepts; who proposed cannot', async () => {
      const { faculty, university, asked } = await two()
      const { status, body } = await faculty.json('POST', '/api/partnerships', asked)
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({
          status: 'Proposed',
          proposedByUs: true,
          issuer: expect.objectContaining({ name: 'Faculdade', own: true }),
          registrar: expect.objectContaining({ name: 'Universidade', own: false }),
        }),
      ])
      const path = `/api/partnerships/${body.id}`
      expect((await faculty.json('POST', `${path}/acceptance`)).body.code).toBe('invalid-transition')
      expect((await university.json('GET', '/api/partnerships?status=Proposed')).body.items).toMatchObject([
        { id: body.id, proposedByUs: false },
      ])
      expect((await university.json('POST', `${path}/acceptance`)).body.status).toBe('Active')
      expect((await university.json('POST', `${path}/acceptance`)).body.code).toBe('invalid-transition')
      const other = await organizationAt(open())
      for (const call of [`POST ${path}/acceptance`, `DELETE ${path}`]) {
        const [method, at] = call.split(' ') as [string, string]
        expect((await other.json(method, at)).body.code).toBe('partnership-not-found')
      }
      // What the two exchange is this, and nothing of the institutions themselves.
      expect((await faculty.json('GET', `/api/institutes/${asked.registrarInstituteId}`)).status).toBe(404)
    })

    test('either side ends it, and it may be proposed anew, by the other side, too', async () => {
      const { faculty, university, asked } = await two()
      const { id } = (await university.json('POST', '/api/partnerships', asked)).body
      const again = await faculty.json('POST', '/api/partnerships', asked)
      expect([again.status, again.body.code]).toEqual([409, 'already-exists'])
      expect((await faculty.json('DELETE', `/api/partnerships/${id}`)).body.status).toBe('Ended')
      const anew = await faculty.json('POST', '/api/partnerships', asked)
      expect(anew.body).toMatchObject({ id, status: 'Proposed', proposedByUs: true })
    })

    test('institutions of one organization are partners at once, and of others nobody makes partners', async () => {
      const { faculty, university, asked } = await two()
      const own = await instituteOf(university)
      const inside = { issuerInstituteId: own.id, registrarInstituteId: asked.registrarInstituteId }
      expect((await university.json('POST', '/api/partnerships', inside)).body.status).toBe('Active')
      expect((await faculty.json('POST', '/api/partnerships', inside)).body.code).toBe('institute-not-found')
      const unknown = { ...asked, registrarInstituteId: crypto.randomUUID() }
      expect((await faculty.json('POST', '/api/partnerships', unknown)).body.code).toBe('institute-not-found')
      const reversed = {
        issuerInstituteId: asked.registrarInstituteId,
        registrarInstituteId: asked.issuerInstituteId,
      }
      const wrong = await faculty.json('POST', '/api/partnerships', reversed)
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['registrarInstituteId']])
    })
  })
}
