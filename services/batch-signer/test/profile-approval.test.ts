import { detailed } from '@chancela/service-kernel/health'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { eventIn } from '../src/rules/sentences.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { API_KEY, form, profilesApp } from './test-support/profiles-app.ts'
import {
  inMemory,
  openSigningWorld,
  type SigningWorld,
  seed,
  signThrough,
  type WorldOptions,
} from './test-support/signing-world.ts'

const ana = { name: 'Ana Souza', email: 'ana@banco.example', cpf: '52998224725' }
const bruno = { name: 'Bruno Lima', email: 'bruno@banco.example', cpf: '11144477735' }

const seedRule = {
  MinimumApprovers: 2,
  ExpiresAfter: '2.00:00:00',
  Approvers: [
    { Name: ' Ana Souza ', Email: ' ana@banco.example', Cpf: '529.982.247-25' },
    { Name: 'Bruno Lima', Email: 'bruno@banco.example', Cpf: '11144477735' },
  ],
}

const rule = { minimumApprovers: 2, expiresAfterSeconds: 172_800, signers: 'ProfileKey', approvers: [ana, bruno] }

/** The rows of readiness that tell of a profile's key. */
const shown = async ({ context }: SigningWorld, profile: string) =>
  detailed(await context.readiness.verdict()).checks.filter(
    ({ name }) => name.startsWith('signing-profile') && name.endsWith(`:${profile}`),
  )

const portal = { ApproverPortal: { Enabled: true, LinkSecret: 'a secret of at least thirty-two characters' } }

const keylessCheck = (profile: string) => `signing-profile-keyless:${profile}`

for (const [database, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`the approval rule of a profile on ${database}`, () => {
    const openWorld = (options: WorldOptions = {}) =>
      openSigningWorld({ open, ...options, settings: { Auth: { ApiKey: API_KEY }, ...portal, ...options.settings } })

    test('comes from the configuration, tidied', async () => {
      const { profiles } = await openWorld({ seeds: [seed('payroll', { Format: 'Cades', Approval: seedRule })] })
      expect(profiles.get('payroll')?.approval).toEqual({
        minimumApprovers: 2,
        expiresAfterSeconds: 172_800,
        signers: 'ProfileKey',
        approvers: [ana, bruno],
      })
      expect(profiles.get('default')?.approval).toBeNull()
    })

    test('is told without its people to programs, and whole to operators', async () => {
      const seeds = [seed('payroll', { Format: 'Cades', Approval: { ...seedRule, MinimumApprovers: 1 } })]
      const call = await profilesApp(await openWorld({ seeds }))
      const rule = { required: 1, poolSize: 2, expiresAfterSeconds: 172_800, signers: 'ProfileKey' }
      const one = await call('GET', '/api/profiles/payroll')
      const all = await call('GET', '/api/profiles')
      expect(one.body).toMatchObject({ name: 'payroll', approval: rule })
      expect(all.body).toMatchObject({ profiles: [{ approval: null }, { approval: rule }] })
      expect(one.text + all.text).not.toMatch(/Ana|banco\.example|52998224725/)
      const { body } = await call('GET', '/dashboard/api/profiles/payroll')
      expect(body).toMatchObject({ approval: { minimumApprovers: 1, approvers: [ana, bruno] } })
    })

    test('is saved with the form, refused by field, and left alone by a form that does not send it', async () => {
      const world = await openWorld({ seeds: [seed('payroll', { Format: 'Cades' })] })
      const call = await profilesApp(world)
      const { certificate } = world.profiles.get('payroll')!
      const save = (version: number, more: object) =>
        call('PUT', '/dashboard/api/profiles/payroll', { version, ...form({ certificate, ...more }) })
      const wrong = { ...rule, minimumApprovers: 3, approvers: [ana, { ...bruno, cpf: '11144477736' }] }
      expect(await save(1, { approval: wrong })).toMatchObject({
        status: 400,
        body: {
          code: 'profile.invalid',
          errors: { 'approval.approvers': [expect.any(String)], 'approval.minimumApprovers': [expect.any(String)] },
        },
      })
      expect(await save(1, { approval: { ...rule, reminders: true } })).toMatchObject({ status: 400 })
      expect(await save(1, { approval: rule })).toMatchObject({ status: 200, body: { version: 2, approval: rule } })
      expect(await save(2, { saveAsPem: true })).toMatchObject({ body: { version: 3, approval: rule } })
      expect(await save(3, { approval: null })).toMatchObject({ body: { version: 4, approval: null } })
    })

    test('has an event of its own for every edit, in both languages and without a CPF', async () => {
      const world = await openWorld({ seeds: [seed('payroll', { Format: 'Cades', Approval: seedRule })] })
      const call = await profilesApp(world)
      const { certificate } = world.profiles.get('payroll')!
      const save = (version: number, more: object) =>
        call('PUT', '/dashboard/api/profiles/payroll', { version, ...form({ certificate, ...more }) })
      await save(1, { approval: { ...rule, minimumApprovers: 1 } })
      await save(2, { saveAsPem: true, approval: null })
      const { items } = await world.context.events.list({ subject: { kind: 'signing-profile', id: 'payroll' } })
      expect(items.map(({ type, actor }) => [type, actor]).reverse()).toEqual([
        ['SigningProfileCreated', 'configuration'],
        ['SigningProfileApprovalEdited', 'configuration'],
        ['SigningProfileApprovalEdited', 'api-key'],
        ['SigningProfileApprovalEdited', 'api-key'],
        ['SigningProfileEdited', 'api-key'],
      ])
      const edited = items.find(({ text }) => text.includes('approvals needed: 1'))!
      expect(eventIn('pt-BR', edited)).toBe(
        'A regra de aprovação do perfil de assinatura payroll foi alterada: aprovações necessárias: 1 (antes: 2).',
      )
      expect(JSON.stringify(items)).not.toMatch(/52998224725|529\.982\.247-25|11144477735/)
    })

    test('that leaves signing to the approvers needs no key, and holds nothing for want of one', async () => {
      const keyless = { Name: 'payroll', Format: 'Cades', Approval: { ...seedRule, Signers: 'Approvers' } }
      const world = await openWorld({ seeds: [keyless] })
      const call = await profilesApp(world)
      expect(await call('GET', '/api/profiles/payroll')).toMatchObject({
        body: { state: 'keyless', certificateSource: null, approval: { signers: 'Approvers' } },
      })
      expect(world.profiles.holds.of('payroll')).toBeUndefined()
      expect(await shown(world, 'payroll')).toEqual([
        { name: keylessCheck('payroll'), ok: true, detail: expect.any(String) },
      ])
      const content = inMemory(Buffer.from('frozen for the key of the profile'))
      await expect(signThrough(world, { profile: 'payroll', format: 'Cades' }, content)).rejects.toMatchObject({
        code: 'profile.key-unavailable',
      })
    })

    test('that moves to the approvers ends the hold of a key that does not open, and takes it up again', async () => {
      const world = await openWorld({ seeds: [seed('payroll', { Format: 'Cades', Pkcs12Password: 'not it, not it' })] })
      const call = await profilesApp(world)
      const { certificate } = world.profiles.get('payroll')!
      const save = (version: number, approval: unknown) =>
        call('PUT', '/dashboard/api/profiles/payroll', { version, ...form({ certificate, approval }) })
      expect(world.profiles.holds.of('payroll')).toMatchObject({ code: 'profile.degraded' })
      expect(await save(1, { ...rule, signers: 'Approvers' })).toMatchObject({
        body: { state: 'keyless', reason: null, certificateSource: null, certificate },
      })
      expect(world.profiles.holds.of('payroll')).toBeUndefined()
      expect((await shown(world, 'payroll')).map(({ name }) => name)).toEqual([keylessCheck('payroll')])
      expect(await save(2, rule)).toMatchObject({ body: { state: 'degraded', certificateSource: 'Pkcs12' } })
      expect((await shown(world, 'payroll')).map(({ name }) => name)).toEqual(['signing-profile:payroll'])
    })
  })
}

test('a rule that is not legal stops the start with all that is wrong', async () => {
  const wrong = { ...seedRule, MinimumApprovers: 3, ExpiresAfter: 'PT0S', Signers: 'Approvers' }
  const opening = openSigningWorld({ seeds: [seed('payroll', { Format: 'Cades', Approval: wrong })] })
  await expect(opening).rejects.toThrow(
    /payroll: At least one approver is needed.*payroll: A wait is longer.*payroll: Approvers sign in the portal/s,
  )
})
