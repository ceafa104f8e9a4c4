// Who did it, and from where: every route of the console that changes something. One that is added later fails here
// until it is called below, or is listed with the reason why it is not.
import { type ActSite, applicationActs, type ConsoleActs, walkConsole } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { running } from './test-support/pki.ts'
import { databases, sharedSessionServer } from './test-support/session-world.ts'
import { newCpf, PIN } from './test-support/vault.ts'

/** The PKCS#12 of a holder, as the page sends it. */
const file = (label = 'bruno-lima') => ({
  file: running.pki.pkcs12(running.pki.certificate(label), { password: PIN }).toString('base64'),
  pin: PIN,
})

const certificate = async ({ made }: ActSite): Promise<string> =>
  `/api/certificates/${(await made('/api/certificates', { ...file(), cpf: newCpf() })).id}`

const place = () => ({ name: 'Caixa', cpfs: [newCpf()] })

const workstation = async ({ made }: ActSite): Promise<string> =>
  `/api/workstations/${(await made('/api/workstations', place())).workstation.id}`

const acts: ConsoleActs = {
  ...applicationActs,
  'POST /api/certificates': [
    'CertificateImported',
    'changed',
    ({ call }) => call('POST', '/api/certificates', { ...file(), cpf: newCpf() }),
  ],
  'PUT /api/certificates/{id}/file': [
    'CertificateReplaced',
    'changed',
    async (site) => site.call('PUT', `${await certificate(site)}/file`, file('ana-souza')),
  ],
  'DELETE /api/certificates/{id}': [
    'CertificateRemoved',
    'changed',
    async (site) => site.call('DELETE', await certificate(site)),
  ],
  'POST /api/workstations': ['WorkstationCreated', 'changed', ({ call }) => call('POST', '/api/workstations', place())],
  'PUT /api/workstations/{id}': [
    'WorkstationChanged',
    'changed',
    async (site) => site.call('PUT', await workstation(site), { ...place(), name: 'Caixa 2' }),
  ],
  'POST /api/workstations/{id}/code': [
    'EnrolmentCodeCreated',
    'same',
    async (site) => site.call('POST', `${await workstation(site)}/code`),
  ],
  'DELETE /api/workstations/{id}': [
    'WorkstationRevoked',
    'changed',
    async (site) => site.call('DELETE', await workstation(site)),
  ],
}

const reasons = {
  'POST /api/certificates/{id}/recheck': 'it looks at the verdict at once; another one is CertificateVerdictChanged',
  'PUT /api/certificates/{id}/pin': 'server-tokens-console.test.ts: CertificatePinSet, of a certificate on a token',
  'DELETE /api/sessions/{id}': 'console-activity.test.ts: SessionEnded, of a signing session',
  'DELETE /api/lockouts/{cpf}': 'pin-lockout.test.ts: LockoutCleared',
  'POST /agents/enrol': 'workstations.test.ts: WorkstationEnrolled, by an agent that nobody is signed in for',
}

for (const database of databases)
  describe(`every route of the console that may change something, on ${database}`, () => {
    const world = sharedSessionServer(database, { settings: { Console: { TrustedProxies: ['127.0.0.1'] } } })

    test('tells who did it, from where, and what was and what is', async () => {
      const app = world().apps['session-server-console']!
      expect(await walkConsole({ world: world(), app, acts, reasons })).toEqual([])
    })
  })
