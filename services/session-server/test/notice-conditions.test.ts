import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { conditionsOf } from '../src/parts/console/conditions.ts'
import { overview } from '../src/parts/console/overview.ts'
import { openTestParts } from './test-support/parts.ts'
import { clock } from './test-support/pki.ts'
import { databases } from './test-support/session-world.ts'
import { holdInVault, newCpf } from './test-support/vault.ts'

describe.each(databases)('what operators are told of besides readiness, on %s', (database) => {
  const opened = async () => {
    const parts = await openTestParts(database)
    const red = async (now = clock()) =>
      (await conditionsOf({ ...parts.context, clock: () => now }, parts)).filter(({ ok }) => !ok)
    return { ...parts, red }
  }

  test('a CPF is told of from the PIN that locks it until it is cleared, masked', async () => {
    const { pinFailures, settings, red } = await opened()
    const cpf = newCpf()
    for (let at = 1; at < settings.Pin.MaxFailures; at++) await pinFailures.fail(cpf, clock())
    expect(await red()).toEqual([])
    await pinFailures.fail(cpf, clock())
    const [told, ...others] = await red()
    expect([told?.name, others]).toEqual(['cpfs-locked', []])
    expect(told?.detail).toMatch(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/)
    await pinFailures.clear(cpf, 'operator')
    expect(await red()).toEqual([])
  })

  test('a certificate is told of when it ends within the days of the setting', async () => {
    const { context, store, settings, dataFolder, red } = await opened()
    const { row } = await holdInVault({ store, settings, dataFolder } as never, 'ana-souza')
    const end = new Date(row.not_after)
    const { warningDays } = context.certificates
    expect(await red(plus(end, -(warningDays + 1) * DAY))).toEqual([])
    expect((await red(plus(end, -(warningDays - 1) * DAY))).map(({ name }) => name)).toEqual([
      'held-certificates-expiring',
    ])
  })

  test('a workstation is told of when it was not seen for the hours of the setting, and readiness is as before', async () => {
    const { context, pinFailures, workstationAdmin, store, settings, red } = await opened()
    const { workstation } = await workstationAdmin.create({ name: 'consultório 1', cpfs: [] }, 'operator', clock())
    // As after a connection that has ended.
    const seen = { public_key: 'a key', last_seen_at: clock().toISOString() }
    await store.db.updateTable('workstation').set(seen).where('id', '=', workstation.id).execute()
    const hours = settings.Workstations.OfflineNoticeHours
    expect(await red(plus(clock(), (hours - 1) * HOUR))).toEqual([])
    const { notices } = await overview(context, { pinFailures, workstationAdmin }, clock(), plus(clock(), hours * HOUR))
    expect(notices).toContainEqual(expect.objectContaining({ cause: 'agents-offline', who: 'consultório 1' }))
    expect(await red(plus(clock(), hours * HOUR))).toEqual([
      { name: 'agents-offline', ok: false, detail: 'consultório 1' },
    ])
    const { checks } = await context.readiness.verdict()
    expect(checks.map(({ name }) => name)).not.toContain('agents-offline')
  })
})
