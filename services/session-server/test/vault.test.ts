import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '@chancela/service-kernel/errors'
import { openSecrets, resealTable, retireOldKeys, rotateMasterKey } from '@chancela/service-kernel/secrets'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { sealedVaultFiles } from '../src/parts/vault/vault.ts'
import { clock, running } from './test-support/pki.ts'
import {
  databases,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
  testOnce,
} from './test-support/session-world.ts'
import { cpfOf, masterKeyOf, newCpf, newHolder, PIN, vaultOf } from './test-support/vault.ts'

const fileOf = (label: string, password = PIN) => running.pki.pkcs12(running.pki.certificate(label), { password })

const refusal = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? [error.code, error.details?.reason] : error),
  )

const opens = async (world: SessionWorld, cpf: string, pin = PIN): Promise<string> =>
  (await world.json('POST', '/v1/sessions', { cpf, pin })).body.error?.code ?? 'opened'

const isActive = async (world: SessionWorld, sessionId: string): Promise<boolean> =>
  (await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active

for (const database of databases) {
  describe(`the vault on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database)

    test('holds a certificate for the CPF given, else the holder’s, else that of who answers for the company', async () => {
      const { vault } = await vaultOf(shared())
      const given = newCpf()
      for (const [label, cpf, heldFor] of [
        ['helena-prado', undefined, cpfOf('helena-prado')],
        ['padaria-aurora', undefined, cpfOf('ana-souza')],
        ['padaria-aurora', given, given],
      ] as const) {
        const row = await vault.importCertificate({ file: fileOf(label), pin: PIN, cpf }, 'operator', clock())
        expect([row.cpf, row.status, row.custody]).toEqual([heldFor, 'ACTIVE', 'vault'])
      }
    })

    once('refuses files it could not sign with, and says why', async () => {
      const world = shared()
      const { vault } = await vaultOf(world)
      const put = (file: Uint8Array, more: { pin?: string; cpf?: string } = {}) =>
        refusal(vault.importCertificate({ file, pin: PIN, ...more }, 'operator', clock()))
      const ana = fileOf('ana-souza')
      expect(await put(ana, { pin: 'errada' })).toEqual(['CERTIFICATE_PIN_WRONG', undefined])
      expect(await put(Buffer.from('no PKCS#12'))).toEqual(['CERTIFICATE_FILE_INVALID', expect.any(String)])
      expect(await put(ana.subarray(0, 900))).toEqual(['CERTIFICATE_FILE_INVALID', expect.stringMatching(/damaged/)])
      const other = await running.pki.issuePerson({ name: 'Chave Outra', cpf: newCpf() }, { key: 'Ed25519' })
      expect(await put(fileOf(other.label))).toEqual(['CERTIFICATE_FILE_INVALID', expect.stringMatching(/ed25519/)])
      expect(await put(fileOf('davi-moreira'))).toBe('done')
      expect(await put(fileOf('equipment'))).toEqual('done')
      const nameless = await running.pki.issueHolder(
        `nameless-${database}`,
        { kind: 'person', name: 'Joana Reis Sem Numero', born: '1990-01-31' },
        {},
        running.pki.certificate('ana-souza').key,
      )
      expect(await put(fileOf(nameless.label))).toEqual(['CERTIFICATE_CPF_MISSING', undefined])
      const cpf = newCpf()
      expect(await put(ana, { cpf })).toBe('done')
      expect(await put(ana, { cpf })).toEqual(['CERTIFICATE_ALREADY_HELD', undefined])
      expect(await put(ana, { cpf: '52998224724' })).toMatchObject({
        kind: 'validation',
        fields: { cpf: [expect.any(String)] },
      })
    })

    once('refuses a file that any PIN opens', async () => {
      const folder = temporaryFolder()
      const { key, x509 } = running.pki.certificate('ana-souza')
      writeFileSync(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      writeFileSync(join(folder, 'certificate.pem'), x509.toString())
      const options = ['-keypbe', 'NONE', '-certpbe', 'NONE', '-nomac', '-passout', 'pass:x']
      const args = ['pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', ...options]
      const { stdout } = await openssl(args, { folder })
      const { vault } = await vaultOf(shared())
      expect(await refusal(vault.importCertificate({ file: stdout, pin: PIN }, 'operator', clock()))).toEqual([
        'CERTIFICATE_FILE_INVALID',
        'Any PIN opens the file.',
      ])
    })

    test('puts another file in the place of one: the PIN of the former opens nothing', async () => {
      const world = shared()
      const { vault } = await vaultOf(world)
      const { id, cpf, issued } = await newHolder(world)
      const file = fileOf(issued.label, 'a nova')
      const row = await vault.replaceCertificate(id, { file, pin: 'a nova' }, 'operator', clock())
      expect([row.cpf, row.status]).toEqual([cpf, 'ACTIVE'])
      expect(await opens(world, cpf)).toBe('INVALID_PIN')
      expect(await opens(world, cpf, 'a nova')).toBe('opened')
      const former = await world.store.db
        .selectFrom('certificate')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect([former.sealed_file, former.removed_at]).toEqual([null, clock().toISOString()])
      expect(await refusal(vault.replaceCertificate(id, { file, pin: 'a nova' }, 'operator', clock()))).toEqual([
        'CERTIFICATE_NOT_FOUND',
        undefined,
      ])
    })

    test('lets a certificate go: nothing of its file stays', async () => {
      const world = shared()
      const { vault } = await vaultOf(world)
      const { id, cpf } = await newHolder(world)
      await vault.removeCertificate(id, 'operator', clock())
      expect(await opens(world, cpf)).toBe('CERT_NOT_FOUND')
      const row = await world.store.db
        .selectFrom('certificate')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.sealed_file).toBeNull()
      expect(await refusal(vault.removeCertificate(id, 'operator', clock()))).toEqual([
        'CERTIFICATE_NOT_FOUND',
        undefined,
      ])
    })

    test('does not touch what is at a workstation', async () => {
      const world = shared()
      const { vault } = await vaultOf(world)
      const { id } = await newHolder(world)
      await world.store.db.updateTable('certificate').set({ custody: 'workstation' }).where('id', '=', id).execute()
      expect(await refusal(vault.removeCertificate(id, 'operator', clock()))).toEqual([
        'CERTIFICATE_AT_WORKSTATION',
        undefined,
      ])
    })

    test('files are sealed for their row, and a rotation of the master key keeps them usable', async () => {
      const world = await startSessionServer(database)
      const [one, other] = [await newHolder(world), await newHolder(world)]
      const { sessionId } = (await world.json('POST', '/v1/sessions', { cpf: one.cpf, pin: PIN })).body
      const keyFile = masterKeyOf(world)
      rotateMasterKey(keyFile)
      const secrets = openSecrets(keyFile)
      const report = await resealTable(world.store as never, secrets, sealedVaultFiles)
      expect([report.resealed, report.unopened]).toEqual([2, []])
      retireOldKeys(keyFile, new Set([secrets.newestKeyId()]))
      expect(await opens(world, other.cpf)).toBe('opened')
      expect(await isActive(world, sessionId)).toBe(true)
      const rows = await world.store.db.selectFrom('certificate').selectAll().execute()
      const moved = rows.find(({ id }) => id === one.id)!.sealed_file
      await world.store.db.updateTable('certificate').set({ sealed_file: moved }).where('id', '=', other.id).execute()
      expect(await opens(world, other.cpf)).toBe('PIN_NOT_AVAILABLE')
      await vi.waitUntil(() => world.log().includes('vault file cannot be decrypted'), {
        interval: 5,
      })
    })
  })
}
