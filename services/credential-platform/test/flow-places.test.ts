// Where the people of a flow sign.
import { describe, expect, test } from 'vitest'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { sampleFlow } from './test-support/samples.ts'

const institution = { name: 'Universidade Santa Clara', identifier: '11444777000161' }
const closing = { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA' }

for (const database of databases) {
  describe(`where people sign on ${database}`, () => {
    const open = sharedPlatform(database)
    const once = testOnce(database)

    test('is a field of the flow: here, unless it says otherwise', async () => {
      const { json } = await organizationAt(open())
      const { body } = await json('POST', '/api/flows', sampleFlow())
      expect(body.signedAt).toBe('Here')
      const path = `/api/flows/${body.id}`
      const changed = await json('PUT', path, sampleFlow({ signedAt: 'DocumentPlatform' }))
      expect([changed.status, changed.body.signedAt]).toEqual([200, 'DocumentPlatform'])
      const read = (await json('GET', path)).body
      expect([read.signedAt, read.steps]).toEqual(['DocumentPlatform', sampleFlow().steps])
    })

    once('is the document platform only for people whose e-mail address is known, each told by its path', async () => {
      const { json } = await organizationAt(open())
      const refusal = async (more: object) => {
        const { status, body } = await json('POST', '/api/flows', sampleFlow({ signedAt: 'DocumentPlatform', ...more }))
        return status === 422 ? Object.keys(body.errors) : status
      }
      const [first, ...rest] = sampleFlow().steps
      const nameless = {
        ...first!,
        participants: [...first!.participants, { name: 'Bruno', identifier: '11144477735' }],
      }
      expect(await refusal({ steps: [nameless, ...rest] })).toEqual(['steps[0].participants[1].email'])
      const list = (participant: object) => ({
        documentKind: 'CancellationList',
        steps: [{ ...closing, participants: [{ ...institution, ...participant }] }],
      })
      expect(await refusal(list({}))).toEqual([
        'steps[0].participants[0].representative',
        'steps[0].participants[0].email',
      ])
      expect(await refusal(list({ representative: '11144477735', email: 'reitoria@example.com' }))).toBe(201)
      const spoken = { ...first!.participants[0]!, representative: '11144477735' }
      expect(await refusal({ steps: [{ ...first!, participants: [spoken] }, ...rest] })).toEqual(['steps[0]'])
    })
  })
}
